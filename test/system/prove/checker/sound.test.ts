import { check } from "./invariants";
import * as stories from "./stories";

test.each(Object.entries(stories))("every promise holds in the history %s", (_name, story) => {
  expect(check(story())).toEqual([]);
});

import { linearize, type Point } from "./linearize";

type Register = Point<number>;

/** Takes effect between its times: writes a register. */
const write = (value: number, from: number, to: number, after: string[] = []): Register => ({
  ...{ name: `write ${value}`, from, to, after },
  apply: () => value,
});
/** Looks at it, and saw this. */
const read = (value: number, from: number, to: number): Register => ({
  ...{ name: `read ${value}`, from, to, after: [] },
  apply: (state) => (state === value ? state : null),
});
const order = (...points: Register[]) => linearize(points, 0, String);

test("nothing is in order", () => {
  expect(order()).toEqual({ order: [] });
});

test("what overlaps is in either order: the one that explains what was read", () => {
  expect(order(write(1, 0, 10), write(2, 0, 10), read(2, 20, 30))).toEqual({
    order: ["write 1", "write 2", "read 2"],
  });
  expect(order(write(1, 0, 10), write(2, 0, 10), read(1, 20, 30))).toEqual({
    order: ["write 2", "write 1", "read 1"],
  });
});

test("what was over before another began comes before it", () => {
  expect(order(write(1, 0, 10), write(2, 11, 20), read(1, 30, 40))).toEqual({
    stuckAfter: ["write 1", "write 2"],
    before: ["read 1"],
    statesTried: 3,
  });
  // One instant is enough to overlap.
  expect(order(write(1, 0, 11), write(2, 11, 20), read(1, 30, 40))).toHaveProperty("order");
});

test("a look sees what stood at one instant of it, and later looks nothing older", () => {
  expect(order(write(1, 0, 100), read(0, 10, 20), read(1, 30, 40))).toHaveProperty("order");
  expect(order(write(1, 0, 100), read(1, 10, 20), read(0, 30, 40))).toHaveProperty("stuckAfter");
});

test("what has no end may have taken effect at any time, or after all that was seen", () => {
  expect(order(write(1, 0, Infinity), read(0, 10, 20), read(1, 30, 40))).toEqual({
    order: ["read 0", "write 1", "read 1"],
  });
  expect(order(write(1, 0, Infinity), read(0, 10, 20))).toEqual({ order: ["read 0", "write 1"] });
  expect(order(write(1, 25, Infinity), read(1, 10, 20))).toHaveProperty("stuckAfter");
});

test("what follows another comes after it, whenever it began", () => {
  const later = write(2, 0, 10, ["write 1"]);
  expect(order(later, write(1, 0, 10))).toEqual({ order: ["write 1", "write 2"] });
  expect(order(later, write(1, 0, 10), read(1, 20, 30))).toHaveProperty("stuckAfter");
});

test("what the state does not allow is not taken", () => {
  const once: Register = { ...write(1, 0, 10), apply: (state) => (state === 0 ? 1 : null) };
  expect(order(once)).toEqual({ order: ["write 1"] });
  expect(order(once, { ...once, name: "again" })).toMatchObject({ before: ["again"] });
});

test("a search that is too large throws: it is no verdict", () => {
  const points = Array.from({ length: 12 }, (_, nth): Register => ({
    ...write(nth, 0, 10),
    apply: (state) => state | (1 << nth),
  }));
  const never = read(-1, 20, 30);
  expect(() => linearize([...points, never], 0, String, 1_000)).toThrow("not decided after 1000 states");
  expect(linearize([...points, never], 0, String)).toHaveProperty("statesTried", 2 ** 12);
});

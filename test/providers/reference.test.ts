import fc from "fast-check";
import { attemptReference, type ReferenceParts } from "../../src/providers/reference";

const parts: ReferenceParts = {
  merchantId: "019ae3c0-0000-7000-8000-000000000001",
  scope: ["create"],
  key: "order-1",
  attempt: 1,
};

describe("an attempt's reference", () => {
  test("never changes: another release asks the provider with the same one", () => {
    expect(attemptReference(parts)).toBe("uvzr357a4h2zpvph5egxy3ylc2im4ok73asc3rn4dfs");
    const inSession = { ...parts, scope: ["create", "pedido-ção"], key: "~!".repeat(50), attempt: 12 };
    expect(attemptReference(inSession)).toBe("uvzvpen55bwok33xbkrqasiktb76sgwx7xaaeqodrka");
  });

  test("is uvz and 40 characters of a to z and 2 to 7, whatever it is made of", () => {
    fc.assert(
      fc.property(anyParts, (any) => {
        expect(attemptReference(any)).toMatch(/^uvz[a-z2-7]{40}$/);
      }),
    );
    expect(attemptReference({ ...parts, key: "é😀".repeat(255) })).toMatch(/^uvz[a-z2-7]{40}$/);
  });

  test.each([":", "-", "/", "|", "\n", "\u0000", "_", ","])(
    "SCOPE-03: a key that holds %j meets no other merchant's",
    (separator) => {
      const one = { ...parts, merchantId: "a", key: `b${separator}c` };
      const other = { ...parts, merchantId: `a${separator}b`, key: "c" };
      expect(attemptReference(one)).not.toBe(attemptReference(other));
      const inScope = { ...parts, scope: ["create", `b${separator}c`], key: "d" };
      const inKey = { ...parts, scope: ["create", "b"], key: `c${separator}d` };
      const apart = { ...parts, scope: ["create", "b", "c"], key: "d" };
      expect(new Set([inScope, inKey, apart].map(attemptReference)).size).toBe(3);
    },
  );

  test("differs with each of its parts", () => {
    const others: Partial<ReferenceParts>[] = [
      { merchantId: "019ae3c0-0000-7000-8000-000000000002" },
      { scope: ["capture"] },
      { scope: [] },
      { scope: ["create", ""] },
      { key: "Order-1" },
      { key: "order-1 " },
      { attempt: 2 },
      { key: "order-11", attempt: 1 },
      { key: "order-", attempt: 11 },
    ];
    const all = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(attemptReference);
    expect(new Set(all).size).toBe(all.length);
  });

  test("is never that of other parts, however one text is cut into parts", () => {
    fc.assert(
      fc.property(cuts, cuts, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(attemptReference(one)).not.toBe(attemptReference(other));
      }),
      { numRuns: 2_000 },
    );
  });
});

const word = fc.string({ unit: "grapheme", maxLength: 100 });
const anyParts: fc.Arbitrary<ReferenceParts> = fc.record({
  merchantId: word,
  scope: fc.array(word, { maxLength: 3 }),
  key: word,
  attempt: fc.integer({ min: 1, max: 1_000 }),
});

/** One short text of look-alike bytes (counts, lengths, separators), cut anywhere into merchant, scope, key and attempt. */
const cuts: fc.Arbitrary<ReferenceParts> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("1", "\u0000", "\u0001", ":"), minLength: 4, maxLength: 5 }),
    fc.array(fc.nat(5), { maxLength: 3 }),
    fc.integer({ min: 1, max: 11 }),
  )
  .map(([text, places, attempt]) => {
    const ends = [0, ...places.map((place) => Math.min(place, text.length)).sort(), text.length];
    const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
    const [merchantId = "", ...rest] = pieces;
    return { merchantId, scope: rest.slice(0, -1), key: rest.at(-1) ?? "", attempt };
  });

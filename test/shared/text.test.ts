import {
  containsCardNumber,
  faultOfKey,
  faultOfReference,
  faultOfText,
  faultsOfMetadata,
  maskCardNumbers,
} from "../../src/shared/text";

const CARD = "4242 4242 4242 4242";

describe("an idempotency key", () => {
  test.each(["a", "A-z_0.9:/|~!", "k".repeat(100), "#&=%\\\"'<>"])("may be %j", (key) => {
    expect(faultOfKey(key)).toBeNull();
  });

  test.each([
    ...["", " ", "k1 ", " k1", "k 1", "k1\t", "k1\n", "k\r\n1", "a\u0000b", "\u007f", "k\u202e1"],
    ...["é", "e\u0301", "１", "😀".repeat(100), "\ud83d", "k".repeat(101), "k".repeat(10_000)],
  ])("KEY-01, KEY-02: may not be %j, and is told the rule with its limit", (key) => {
    expect(faultOfKey(key)).toContain("1 to 100 visible ASCII");
  });
});

describe("a reference", () => {
  test.each(["pedido 7", "ção", "a".repeat(100), "é".repeat(50), "😀".repeat(25), "e\u0301"])(
    "may be %j",
    (text) => {
      expect(faultOfReference(text)).toBeNull();
    },
  );

  test.each([
    ["", "1 to 100 bytes"],
    ["a".repeat(101), "1 to 100 bytes"],
    ["é".repeat(51), "1 to 100 bytes"],
    ["a\u0000b", "control"],
    ["a\nb", "control"],
    ["a\tb", "control"],
    ["a\u0085b", "control"],
    ["a\u2028b", "control"],
    ["\ud83d", "surrogate"],
    [CARD, "card number"],
  ])("may not be %j", (text, why) => {
    expect(faultOfReference(text)).toContain(why);
  });
});

describe("a text", () => {
  test.each(["", "one line", "two\nlines\r\n\tand a tab", "a".repeat(500), "😀".repeat(500)])(
    "may be %j",
    (text) => {
      expect(faultOfText(text)).toBeNull();
    },
  );

  test.each([
    ["a".repeat(501), "500 characters"],
    ["😀".repeat(501), "500 characters"],
    ["a\u0000b", "control"],
    ["a\u001bb", "control"],
    ["a\u009bb", "control"],
    ["a\udc00b", "surrogate"],
    [`paid with ${CARD}, thanks`, "card number"],
  ])("may not be %j", (text, why) => {
    expect(faultOfText(text)).toContain(why);
  });
});

describe("a card number is found", () => {
  test.each([
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "5555555555554444",
    "2223003122003222",
    "378282246310005",
    "3782 822463 10005",
    "30569309025904",
    "38520000023237",
    "3530111333300000",
    "6011111111111117",
    "6200000000000005",
    "6362970000457013", // Elo
    "6062826786276634", // Hipercard
    "4222222222222",
    "6304000000000000000",
    "card:4111111111111111.",
    "x4111111111111111y",
    "é4111111111111111",
    "4111111111111111 12/30 123",
    "4111 1111 1111 1111 12 30",
    "2 4111111111111111",
    "12-34 4111-1111-1111-1111",
    "no 1234567890123 but 4111111111111111",
  ])("in %j", (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  test.each([
    ["a wrong check digit", "4111111111111112"],
    ["12 digits", "411111111111"],
    ["20 digits in one", "41111111111111111111"],
    ["a time in milliseconds", "1764551851000"],
    [
      "times in milliseconds, whatever their check digit",
      Array.from({ length: 20 }, (_, i) => 1764551851000 + i).join(", "),
    ],
    ["a telephone number", "+55 11 91234-5678"],
    ["an order number with a right check digit that no scheme issues", "1234567812345670"],
    ["zeros", "0000000000000000"],
    ["an invoice key", "35200714200166000187550010000000046550000001"],
    ["a boleto's line", "34191.79001 01043.510047 91020.150008 5 84410026000"],
    ["a date and a time", "2026-12-01 01:17:13"],
    ["a uuid", "019ae3c0-1111-7111-8111-111111111111"],
    ["digits too far apart", "4111  1111  1111  1111"],
    ["a reference of ours", "uvzr357a4h2zpvph5egxy3ylc2im4ok73asc3rn4dfs"],
  ])("not in %s", (_, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  test("and each is taken out, with nothing else", () => {
    const text = "1 4111111111111111 12/30, then 5555-5555-5555-4444 4242424242424242; 4111111111111112";
    expect(maskCardNumbers(text, () => "#")).toBe("1 # 12/30, then # #; 4111111111111112");
  });

  test("in time that grows with the text alone", () => {
    const began = performance.now();
    for (const text of ["1 ".repeat(50_000), "4".repeat(100_000), "41111111111111 ".repeat(7_000)])
      containsCardNumber(text);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("metadata", () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, "v"]));

  test.each([{}, { a: "" }, { "a.b": "two\nlines", ["😀".repeat(40)]: "a".repeat(500) }, members(50)])(
    "may be %j",
    (metadata) => expect(faultsOfMetadata(metadata)).toEqual([]),
  );

  test.each([null, undefined, "text", 1, [], ["a"]])("may not be %j: it is an object", (value) => {
    expect(faultsOfMetadata(value)).toEqual([{ path: "", message: "must be an object of strings" }]);
  });

  test("has at most 50 members", () => {
    expect(faultsOfMetadata(members(51))).toEqual([{ path: "", message: "must have at most 50 members" }]);
  });

  test.each([[1], [null], [true], [{ b: "nested" }], [["list"]]])(
    "has no member %j: each is a string",
    (member) => {
      expect(faultsOfMetadata({ a: member })).toEqual([{ path: "a", message: "must be a string" }]);
    },
  );

  test("tells of every member that breaks a rule, by its key", () => {
    const faults = faultsOfMetadata({
      good: "x",
      "a.b": "a\u0000b",
      long: "a".repeat(501),
      lone: "\ud83d",
      card: CARD,
    });
    expect(faults).toEqual([
      { path: "a.b", message: "must not contain control characters" },
      { path: "long", message: "must be at most 500 characters" },
      { path: "lone", message: "must not contain a lone surrogate" },
      { path: "card", message: "must not contain a card number" },
    ]);
  });

  test.each([
    ["", "1 to 40 characters"],
    ["k".repeat(41), "1 to 40 characters"],
    ["a\u0000b", "control"],
    ["a\nb", "control"],
    ["\ud83d", "surrogate"],
    [CARD, "card number"],
  ])("has no key %j, and does not repeat it", (key, why) => {
    expect(faultsOfMetadata({ [key]: "v", other: 1 })).toEqual([
      { path: "", message: expect.stringContaining(why) },
    ]);
  });

  test("checks what a parser can make: __proto__ is a key like another", () => {
    expect(faultsOfMetadata(JSON.parse('{"__proto__":1}'))).toEqual([
      { path: "__proto__", message: "must be a string" },
    ]);
  });
});

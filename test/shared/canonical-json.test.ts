import { spawnSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { canonicalJson, type JsonValue } from "../../src/shared/canonical-json";

/** The number whose IEEE 754 bits these are. */
function double(bits: string): number {
  return Buffer.from(bits, "hex").readDoubleBE();
}

describe("canonical JSON (RFC 8785)", () => {
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number %s as %s (appendix B)", (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  test("sorts members by UTF-16 code units (section 3.2.3)", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const order = Object.values(
      JSON.parse(canonicalJson({ list: Object.keys(value).sort() })).list as string[],
    );
    expect(order).toEqual(["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]);
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test("writes strings and literals as section 3.2.2 shows", () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test.each<[string, unknown]>([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a lone surrogate", "\ud83d"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["undefined", undefined],
    ["an undefined member", { a: undefined }],
    ["a hole", new Array(1)],
    ["a bigint", 1n],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["a function", () => 1],
  ])("refuses %s, at any depth", (_, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow();
    expect(() => canonicalJson([{ deep: value as JsonValue }])).toThrow();
  });

  test("HASH-02: the order of members makes no difference at any depth; the order of a list and a type do", () => {
    const first = canonicalJson({ a: 1, b: { x: 1, y: [1, 2] } });
    expect(canonicalJson({ b: { y: [1, 2], x: 1 }, a: 1 })).toBe(first);
    expect(canonicalJson({ b: { y: [2, 1], x: 1 }, a: 1 })).not.toBe(first);
    expect(canonicalJson({ b: { y: [1, 2], x: 1 }, a: "1" })).not.toBe(first);
  });

  test("HASH-04: one number has one spelling, and two numbers have two", () => {
    expect(new Set(["1000", "1000.0", "1e3", "1E+3"].map((text) => canonicalJson(JSON.parse(text))))).toEqual(
      new Set(["1000"]),
    );
    expect(canonicalJson(-0)).toBe(canonicalJson(0));
    expect(canonicalJson(0.1 + 0.2)).not.toBe(canonicalJson(0.3));
  });

  test("loses nothing and is its own canonical form, whatever the value and the order of its members", () => {
    const json = fc
      .jsonValue()
      .filter((value) => JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value)));
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value as JsonValue);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
        expect(canonicalJson(reversed(value as JsonValue))).toBe(text);
      }),
    );
  });

  test("keeps a member that is called __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  test("HASH-06: is the same under every locale", () => {
    const value = { a: 1, B: 2, ä: 3, z: 4, _: 5, É: 6, "10": 7, "9": 8, å: 9, ö: 10, I: 11, ı: 12 };
    const here = canonicalJson(value);
    expect(here).toBe('{"10":7,"9":8,"B":2,"I":11,"_":5,"a":1,"z":4,"É":6,"ä":3,"å":9,"ö":10,"ı":12}');
    for (const locale of ["C", "sv_SE.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8"])
      expect(inLocale(locale, value)).toBe(here);
  });
});

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reversed(item as JsonValue));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member as JsonValue)]),
  );
}

/** The canonical form that a process of its own gives under a locale; it also proves that the locale was taken. */
function inLocale(locale: string, value: JsonValue): string {
  const script = `
    const { canonicalJson } = require("./src/shared/canonical-json");
    const collator = new Intl.Collator().resolvedOptions().locale;
    process.stdout.write(JSON.stringify({ collator, text: canonicalJson(JSON.parse(process.argv[1])) }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["-r", "@swc-node/register", "-e", script, JSON.stringify(value)],
    {
      cwd: path.join(__dirname, "../.."),
      env: { ...process.env, LANG: locale, LC_ALL: locale },
      encoding: "utf8",
    },
  );
  expect(stderr).toBe("");
  const { collator, text } = JSON.parse(stdout) as { collator: string; text: string };
  if (locale !== "C") expect(collator.slice(0, 2)).toBe(locale.slice(0, 2));
  return text;
}

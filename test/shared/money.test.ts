import fc from "fast-check";
import { exponentOf } from "../../src/shared/currencies";
import { formatAmount, MAX_MINOR, parseAmount, zero } from "../../src/shared/money";

const AMOUNT = { ok: false, fault: "amount" };

describe("an amount", () => {
  test.each([
    ["10", "BRL", 1000n],
    ["10.5", "BRL", 1050n],
    ["10.50", "BRL", 1050n],
    ["0.01", "BRL", 1n],
    ["0.1", "BRL", 10n],
    ["1000", "JPY", 1000n],
    ["1.25", "KWD", 1250n],
    ["1.0001", "CLF", 10001n],
    ["21474836.48", "BRL", 2147483648n],
    ["90071992547409.91", "BRL", MAX_MINOR],
    ["9007199254740991", "JPY", MAX_MINOR],
  ])("%s %s is %s minor units", (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, money: { minor, currency } });
  });

  test("is one whether written 10, 10.0 or 10.00", () => {
    const minors = ["10", "10.0", "10.00"].map((text) => parseAmount(text, "BRL"));
    expect(new Set(minors.map((parsed) => parsed.ok && parsed.money.minor))).toEqual(new Set([1000n]));
  });

  test.each([
    ...["", " ", "10 ", " 10", "10\n", "+10", "-1", "-0", "1e3", "1E3", "0x10", "1_000", "1,000", "10,50"],
    ...["10.", ".5", "10.5.0", "010", "010.5", "00", "00.10", "Infinity", "NaN", "１０", "٣", "10\u0000"],
  ])("is not %j: only digits and a point before decimals", (text) => {
    expect(parseAmount(text, "BRL")).toMatchObject({ ...AMOUNT, message: expect.stringContaining("digits") });
  });

  test.each([
    ["10.505", "BRL", "at most 2 decimals"],
    ["10.500", "BRL", "at most 2 decimals"],
    ["10.00000000000000000000", "BRL", "at most 2 decimals"],
    ["10.0", "JPY", "at most 0 decimals"],
    ["1.2345", "KWD", "at most 3 decimals"],
    ["0", "BRL", "more than zero"],
    ["0.00", "BRL", "more than zero"],
    ["0", "JPY", "more than zero"],
    ["90071992547409.92", "BRL", "at most 90071992547409.91"],
    ["9007199254740992", "JPY", "at most 9007199254740991"],
    ["9007199254740993", "JPY", "at most 9007199254740991"],
    ["9".repeat(100_000), "BRL", "at most 90071992547409.91"],
  ])("%p %s is refused, and told why", (text, currency, why) => {
    expect(parseAmount(text, currency)).toMatchObject({ ...AMOUNT, message: expect.stringContaining(why) });
  });

  test.each(["brl", "Brl", "BR", "BRLL", "", "XXX", "XAU", "XTS", "ABC", "BRL ", "toString", "__proto__"])(
    "in %j is refused: the code must be known, in upper case",
    (currency) => {
      expect(parseAmount("10", currency)).toMatchObject({ ok: false, fault: "currency" });
    },
  );

  test("is never repeated in a message, nor is its currency", () => {
    const canaries = ["4242424242424242", "77.777", "secret-value", "-77"];
    const messages = canaries.flatMap((text) => [parseAmount(text, "BRL"), parseAmount("1", text)]);
    for (const parsed of messages) {
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toMatch(/4242|77|secret/);
    }
    expect(JSON.stringify(parseAmount("1.001", "BRL"))).not.toMatch(/BRL|1\.001/);
  });

  test("reads back as it was written, in every number of decimals", () => {
    const currency = fc.constantFrom("JPY", "BRL", "KWD", "CLF");
    const minor = fc.bigInt({ min: 1n, max: MAX_MINOR });
    fc.assert(
      fc.property(minor, currency, (minor, currency) => {
        const money = { minor, currency };
        const text = formatAmount(money);
        expect(text.split(".")[1]?.length ?? 0).toBe(exponentOf(currency));
        expect(parseAmount(text, currency)).toEqual({ ok: true, money });
      }),
    );
  });
});

describe("an amount is written", () => {
  test.each([
    [1050n, "BRL", "10.50"],
    [1n, "BRL", "0.01"],
    [1000n, "JPY", "1000"],
    [1250n, "KWD", "1.250"],
    [1n, "CLF", "0.0001"],
    [-5n, "BRL", "-0.05"],
    [-1050n, "JPY", "-1050"],
    [0n, "BRL", "0.00"],
  ])("%s minor units of %s as %s", (minor, currency, text) => {
    expect(formatAmount({ minor, currency })).toBe(text);
  });

  test("never in a currency whose decimals are unknown", () => {
    expect(() => formatAmount({ minor: 1n, currency: "ABC" })).toThrow("currency");
  });

  test("as nothing, where it is zero", () => {
    expect(formatAmount(zero("KWD"))).toBe("0.000");
  });
});

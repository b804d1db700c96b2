import { exponentOf } from "../../src/shared/currencies";

const upper = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const known = upper
  .flatMap((a) => upper.flatMap((b) => upper.map((c) => a + b + c)))
  .filter((code) => exponentOf(code) !== undefined);
const withDecimals = (decimals: number) => known.filter((code) => exponentOf(code) === decimals).join(" ");

describe("the table of ISO 4217", () => {
  test("has no decimals for exactly these", () => {
    expect(withDecimals(0)).toBe("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF");
  });

  test("has three decimals for exactly these", () => {
    expect(withDecimals(3)).toBe("BHD IQD JOD KWD LYD OMR TND");
  });

  test("has four decimals for exactly these", () => {
    expect(withDecimals(4)).toBe("CLF UYW");
  });

  test.each([
    "BRL",
    "USD",
    "EUR",
    "HUF",
    "IDR",
    "MGA",
    "MRU",
    "CVE",
    "TWD",
    "IRR",
    "LBP",
    "ZWG",
    "XCG",
    "SLE",
  ])("has two decimals for %s", (code) => expect(exponentOf(code)).toBe(2));

  test("is not the runtime's, which has the decimals that people write", () => {
    const settledOtherwise = known.filter((code) => {
      const { maximumFractionDigits } = new Intl.NumberFormat("en", {
        style: "currency",
        currency: code,
      }).resolvedOptions();
      return maximumFractionDigits !== exponentOf(code);
    });
    expect(settledOtherwise).toEqual(expect.arrayContaining(["HUF", "IQD", "IDR"]));
  });

  test.each([
    "XXX",
    "XTS",
    "XAU",
    "XAG",
    "XPT",
    "XPD",
    "XDR",
    "XSU",
    "XUA",
    "XBA",
    "ANG",
    "BGN",
    "HRK",
    "ZWL",
    "CUC",
    "SLL",
    "VEF",
  ])("does not know %s: no money that a card is charged in today", (code) =>
    expect(exponentOf(code)).toBeUndefined(),
  );

  test.each(["brl", "", "constructor", " BRL"])("does not know %j", (code) => {
    expect(exponentOf(code)).toBeUndefined();
  });

  test("loses no code: amounts are kept in them", () => {
    expect(known).toHaveLength(164);
  });
});

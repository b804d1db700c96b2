import fc from "fast-check";
import { decodeId, encodeId, newUuid, PREFIXES, prefixOf } from "../../src/shared/ids";

describe("a public id", () => {
  test.each([
    ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
    ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
    ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
    ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
    ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
    ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
    ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
    ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"],
  ])("of the uuid %s ends in %s, as TypeID's specification has it", (uuid, suffix) => {
    expect(encodeId("pay", uuid)).toBe(`pay_${suffix}`);
    expect(decodeId("pay", `pay_${suffix}`)).toBe(uuid);
  });

  test("gives back its uuid and tells what it is of, for every prefix", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PREFIXES), fc.uuid(), (prefix, uuid) => {
        const id = encodeId(prefix, uuid);
        expect(decodeId(prefix, id)).toBe(uuid);
        expect(prefixOf(id)).toBe(prefix);
      }),
    );
  });

  test("of something else is no id of this", () => {
    for (const prefix of PREFIXES)
      for (const other of PREFIXES)
        if (prefix !== other) expect(decodeId(prefix, encodeId(other, newUuid()))).toBeNull();
  });

  const good = "01h455vb4pex5vsknk084sn02q";
  test.each([
    ["nothing", ""],
    ["a prefix alone", "pay_"],
    ["no prefix", good],
    ["an unknown prefix", `xyz_${good}`],
    ["another case", `pay_${good.toUpperCase()}`],
    ["another case of the prefix", `PAY_${good}`],
    ["a character less", `pay_${good.slice(1)}`],
    ["a character more", `pay_${good}0`],
    ["more than 128 bits", "pay_8zzzzzzzzzzzzzzzzzzzzzzzzz"],
    ["Crockford's look-alikes i, l, o, u", "pay_01h455vb4pex5vsknk084sni1o"],
    ["an l", "pay_01h455vb4pex5vsknk084sn02l"],
    ["a u", "pay_01h455vb4pex5vsknk084sn02u"],
    ["spaces around", ` pay_${good} `],
    ["a line break behind", `pay_${good}\n`],
    ["a NUL", `pay_${good}\u0000`],
    ["a uuid", "01890a5d-ac96-774b-bcce-b302099a8057"],
    ["10 KB", `pay_${"0".repeat(10_000)}`],
    ["10 KB of prefix", `${"p".repeat(10_000)}_${good}`],
    ["SQL", `pay_' or 1=1 --`],
  ])("is not %s", (_, text) => {
    expect(decodeId("pay", text)).toBeNull();
    expect(prefixOf(text)).toBeNull();
  });

  test("is made of nothing but a uuid", () => {
    expect(() => encodeId("pay", "01890a5d-ac96-774b-bcce-b302099a8057ff")).toThrow("uuid");
    expect(() => encodeId("pay", "")).toThrow("uuid");
  });
});

describe("a new uuid", () => {
  const made = Array.from({ length: 10_000 }, newUuid);

  test("is of version 7 and the RFC's variant", () => {
    for (const uuid of made)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("is greater than those before it, as is its public id", () => {
    expect([...new Set(made)].sort()).toEqual(made);
    const ids = made.map((uuid) => encodeId("evt", uuid));
    expect([...ids].sort()).toEqual(ids);
  });
});

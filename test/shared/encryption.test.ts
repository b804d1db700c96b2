import { randomBytes } from "node:crypto";
import { createCipher } from "../../src/shared/encryption";

const newKey = () => randomBytes(32).toString("base64");

describe("a sealed secret", () => {
  const cipher = createCipher(newKey());
  const place = "provider_accounts.secret:019ae3c0";

  test.each(["", "sk_test_1", "ção 😀", "x".repeat(100_000)])("opens as it was sealed", (plain) => {
    expect(cipher.open(cipher.seal(plain, place), place)).toBe(plain);
  });

  test("opens with the same key in another process's cipher", () => {
    const key = newKey();
    expect(createCipher(key).open(createCipher(key).seal("secret", place), place)).toBe("secret");
  });

  test("shows nothing of the text, and is other bytes each time", () => {
    const [one, other] = [cipher.seal("sk_test_secret", place), cipher.seal("sk_test_secret", place)];
    expect(one.includes("secret")).toBe(false);
    expect(one.equals(other)).toBe(false);
    expect(one.length).toBe(1 + 4 + 12 + 16 + "sk_test_secret".length);
  });

  test("does not open elsewhere than where it was kept", () => {
    const sealed = cipher.seal("secret", place);
    expect(() => cipher.open(sealed, `${place}1`)).toThrow("sealed for another place");
    expect(() => cipher.open(sealed, "")).toThrow("sealed for another place");
  });

  test("does not open with another key, and says so", () => {
    const sealed = cipher.seal("secret", place);
    expect(() => createCipher(newKey()).open(sealed, place)).toThrow(
      "ENCRYPTION_KEY: this was encrypted with another key",
    );
  });

  test("does not open with any one of its bits changed, nor shortened, nor lengthened", () => {
    const sealed = cipher.seal("ab", place);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => cipher.open(changed, place)).toThrow(/sealed data|another key/);
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => cipher.open(sealed.subarray(0, length), place)).toThrow("sealed data");
    expect(() => cipher.open(Buffer.concat([sealed, Buffer.from([0])]), place)).toThrow("sealed data");
  });

  test.each(["", "short", randomBytes(16).toString("base64"), randomBytes(33).toString("base64")])(
    "is not made with a key of another size, which is not repeated",
    (key) => {
      const make = () => createCipher(key);
      expect(make).toThrow(new Error("ENCRYPTION_KEY: must be 32 bytes in base64"));
    },
  );
});

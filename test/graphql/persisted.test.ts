import { createHash } from "node:crypto";
import { CreatePayment, Viewer } from "../../src/client/generated";
import { createSender, type Sender } from "../../src/client/sender";
import { openHouse, type House } from "../support/gateway";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

describe.each(["off", "on"])("PERSISTED_ONLY=%s, with an API key", (persistedOnly) => {
  let house: House;
  let byHash: Sender;
  let byText: Sender;
  beforeAll(async () => {
    house = await openHouse({ PERSISTED_ONLY: persistedOnly });
    const given = {
      url: `${house.url}/graphql`,
      headers: { authorization: `Bearer ${house.credentials.keys.payments}` },
    };
    byHash = createSender({ ...given, persisted: true });
    byText = createSender(given);
  });
  afterAll(() => house.close());

  test("a document of the manifest is known by its hash, and by its text", async () => {
    const input = {
      amount: { amount: "10.50", currency: "BRL" },
      method: { card: { token: "pm_card_visa" } },
    };
    const made = await byHash(CreatePayment, { key: "k-1", input });
    expect(made.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });
    const again = await byText(CreatePayment, { key: "k-1", input });
    expect(again.data?.createPayment).toMatchObject({ replayed: true, operation: { state: "SUCCEEDED" } });
  });

  test("an unknown hash is not found, even after its text was sent with it: nothing is registered", async () => {
    const text = "query Mine { viewer { kind } }";
    const unknown = { text, hash: hashOf(text) };
    const notFound = { errors: [{ extensions: { code: "PERSISTED_QUERY_NOT_FOUND", retryable: false } }] };
    expect(await byHash(unknown, {})).toMatchObject(notFound);
    const both = await post({
      query: text,
      extensions: { persistedQuery: { version: 1, sha256Hash: unknown.hash } },
    });
    expect(both).toMatchObject({ data: { viewer: { kind: "API_KEY" } } });
    expect(await byHash(unknown, {})).toMatchObject(notFound);
  });

  test("another text is taken: API keys are not bound", async () => {
    const text = "query Mine { viewer { kind } }";
    expect(await byText({ text, hash: "" }, {})).toEqual({ data: { viewer: { kind: "API_KEY" } } });
  });

  test.each([
    ["a hash of another text", { query: "{ viewer { kind } }", extensions: named(Viewer.hash) }],
    ["another version", { extensions: { persistedQuery: { version: 2, sha256Hash: Viewer.hash } } }],
    ["a hash that is none", { extensions: { persistedQuery: { version: 1, sha256Hash: 7 } } }],
    ["no object", { extensions: { persistedQuery: "x" } }],
  ])("%s is a bad request", async (_, body) => {
    expect(await post(body)).toMatchObject({
      errors: [{ extensions: { code: "BAD_REQUEST", retryable: false } }],
    });
  });

  async function post(body: object): Promise<unknown> {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${house.credentials.keys.payments}`,
    };
    return (
      await fetch(`${house.url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) })
    ).json();
  }
});

function named(sha256Hash: string) {
  return { persistedQuery: { version: 1, sha256Hash } };
}

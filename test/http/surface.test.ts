import net from "node:net";
import { auditServer } from "graphql-http";
import { Writable } from "node:stream";
import { openHouse, type House } from "../support/gateway";

let house: House;
let log = "";
beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      log += chunk.toString("utf8");
      done();
    },
  });
  house = await openHouse({ LOG_LEVEL: "debug" }, { log: destination });
});
afterAll(() => house.close());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MODERN = "application/graphql-response+json";

interface Asked {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends a body as it is, or as JSON. */
async function ask({ path = "/graphql", method = "POST", headers = {}, body }: Asked) {
  const response = await fetch(`${house.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    response,
    text,
    json: (text ? JSON.parse(text) : null) as { data?: unknown; errors?: ErrorTold[] },
  };
}
interface ErrorTold {
  message: string;
  extensions: { code: string; retryable: boolean; requestId: string };
}

test("the audit of GraphQL over HTTP has no errors and no warnings", async () => {
  const results = await auditServer({ url: `${house.url}/graphql` });
  const told = results.map(({ status, id, name, ...rest }) => ({
    status,
    id,
    name,
    reason: "reason" in rest ? rest.reason : "",
  }));
  expect(told.filter(({ status }) => status === "error" || status === "warn")).toEqual([]);
  expect(told.filter(({ status }) => status === "ok").length).toBeGreaterThan(55);
});

const REFUSED: [what: string, status: number, code: string, asked: Asked][] = [
  ["a document that does not parse", 200, "GRAPHQL_PARSE_FAILED", { body: { query: "{" } }],
  ["a field that is none", 200, "GRAPHQL_VALIDATION_FAILED", { body: { query: "{ nothing }" } }],
  [
    "a variable of the wrong type",
    200,
    "BAD_USER_INPUT",
    { body: { query: "query ($n: Int!) { payments(first: $n) { nodes { id } } }", variables: { n: "x" } } },
  ],
  [
    "an operation that is not there",
    200,
    "OPERATION_RESOLUTION_FAILURE",
    { body: { query: "query A { __typename }", operationName: "B" } },
  ],
  ["no key", 200, "UNAUTHENTICATED", { body: { query: "{ viewer { role } }" } }],
  ["JSON that is none", 400, "BAD_REQUEST", { body: "{" }],
  ["JSON with a prototype", 400, "BAD_REQUEST", { body: `{ "__proto__": { "query": "{ __typename }" } }` }],
  ["no body", 400, "BAD_REQUEST", {}],
  ["null", 400, "BAD_REQUEST", { body: "null" }],
  ["an empty object", 400, "BAD_REQUEST", { body: {} }],
  ["a query that is no text", 400, "BAD_REQUEST", { body: { query: { kind: "Document" } } }],
  [
    "variables that are no object",
    400,
    "BAD_REQUEST",
    { body: { query: "{ __typename }", variables: "{}" } },
  ],
  ["a batch", 400, "BAD_REQUEST", { body: [{ query: "{ __typename }" }, { query: "{ __typename }" }] }],
  [
    "a form",
    415,
    "BAD_REQUEST",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "query=%7B__typename%7D" },
  ],
  [
    "a text",
    415,
    "BAD_REQUEST",
    { headers: { "content-type": "text/plain" }, body: `{ "query": "{ __typename }" }` },
  ],
  [
    "a form of files",
    415,
    "BAD_REQUEST",
    { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "--x--" },
  ],
  [
    "a body that is too large",
    413,
    "BAD_REQUEST",
    { body: { query: `# ${"x".repeat(300_000)}\n{ __typename }` } },
  ],
  [
    "a reply that we do not have",
    406,
    "BAD_REQUEST",
    { headers: { accept: "text/html" }, body: { query: "{ __typename }" } },
  ],
  ["a GET", 405, "BAD_REQUEST", { method: "GET", path: "/graphql?query=%7B__typename%7D" }],
  [
    "a mutation by GET",
    405,
    "BAD_REQUEST",
    { method: "GET", path: "/graphql?query=mutation%7B__typename%7D" },
  ],
  ["another method", 405, "BAD_REQUEST", { method: "PUT", body: { query: "{ __typename }" } }],
  [
    "a preflight of another origin",
    405,
    "BAD_REQUEST",
    {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
    },
  ],
  ["an address that is none of ours", 404, "NOT_FOUND", { path: "/elsewhere", body: {} }],
  ["an address that is none", 400, "BAD_REQUEST", { path: "/%", method: "GET" }],
];

describe("what is refused, and how", () => {
  test.each(REFUSED)(
    "%s: %i %s, in GraphQL's shape, with the request's id",
    async (_, status, code, asked) => {
      const { response, json } = await ask(asked);
      expect(response.status).toBe(status);
      expect(json.errors).toHaveLength(1);
      const { message, extensions } = json.errors?.[0] as ErrorTold;
      expect(message).toMatch(/\.$|^Syntax Error|^Cannot query|^Unknown operation/);
      expect(extensions).toMatchObject({ code, retryable: false });
      expect(extensions.requestId).toMatch(UUID);
      expect(response.headers.get("x-request-id")).toBe(extensions.requestId);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      if (status === 405) expect(response.headers.get("allow")).toBe("POST");
    },
  );

  test.each(REFUSED.filter(([, status, code]) => status === 200 && code !== "UNAUTHENTICATED"))(
    "%s is 400 for who accepts the newer media type",
    async (_, __, code, asked) => {
      const { response, json } = await ask({ ...asked, headers: { accept: MODERN } });
      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toBe(`${MODERN}; charset=utf-8`);
      expect(json).not.toHaveProperty("data");
      expect(json.errors?.[0]?.extensions).toMatchObject({ code, retryable: false });
    },
  );

  test.each([
    ["what is not HTTP", "HELLO\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])("%s gets the same shape", async (_, sent, status) => {
    const reply = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = net.connect(Number(new URL(house.url).port), "127.0.0.1", () => socket.write(sent));
      socket.on("data", (chunk) => (text += chunk.toString("utf8")));
      socket.on("close", () => resolve(text));
      socket.on("error", reject);
    });
    const [head, body] = reply.split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect((JSON.parse(body ?? "") as { errors: ErrorTold[] }).errors[0]?.extensions).toMatchObject({
      code: "BAD_REQUEST",
      requestId: expect.stringMatching(UUID) as unknown,
    });
  });
});

test.each<[string, Asked]>([
  ["an answer", { body: { query: "{ __typename }" } }],
  ["a refusal", { body: [] }],
  ["an address that is none of ours", { path: "/elsewhere", method: "GET" }],
  ["health", { path: "/livez", method: "GET" }],
])(
  "%s is neither kept, nor framed, nor taken for something else; other origins cannot read it",
  async (_, asked) => {
    const { headers } = (await ask(asked)).response;
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-powered-by") ?? headers.get("server")).toBeNull();
  },
);

test("requests have different ids", async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await ask({ body: {} })).json.errors?.[0]?.extensions.requestId),
  );
  expect(new Set(ids).size).toBe(3);
});

test("no key, no data; what the schema says of itself needs none", async () => {
  const { json } = await ask({ body: { query: "{ __typename __schema { queryType { name } } }" } });
  expect(json).toEqual({ data: { __typename: "Query", __schema: { queryType: { name: "Query" } } } });
});

test("a key is taken from its header alone, and is in no address, reply or log", async () => {
  const secret = house.credentials.keys.viewer;
  const body = { query: "{ viewer { role } }" };
  const right = await ask({ body, headers: { authorization: `Bearer ${secret}` } });
  expect(right.json).toEqual({ data: { viewer: { role: "VIEWER" } } });
  for (const path of [`/graphql?access_token=${secret}`, `/graphql?authorization=Bearer%20${secret}`])
    expect((await ask({ body, path })).json.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  const texts = [right.text, (await ask({ method: "GET", path: `/elsewhere?key=${secret}` })).text];
  expect(texts.join()).not.toContain(secret);
  expect(log).not.toContain(secret);
});

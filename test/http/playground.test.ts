import http from "node:http";
import { openHouse, type House } from "../support/gateway";

let house: House;
beforeAll(async () => {
  house = await openHouse({}, { worker: false });
});
afterAll(() => house?.close());

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** `fetch` would not let a test say which host it means, nor which site it comes from. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on("error", reject);
  });
}

const policyOf = ({ headers }: Answer) => {
  const directives = String(headers["content-security-policy"]).split("; ");
  return Object.fromEntries(
    directives.map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1)]),
  );
};

test("the page allows our own scripts alone, is never cached, and never framed", async () => {
  const page = await get(`${house.url}/playground`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("<title>Umavez playground</title>");
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(policyOf(page)).toMatchObject({
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "worker-src": ["'self'"],
    "connect-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
});

test("style elements need the nonce, which is another one each time", async () => {
  const pages = [await get(`${house.url}/playground`), await get(`${house.url}/playground`)];
  const nonces = pages.map((page) => {
    const [own, nonce] = policyOf(page)["style-src-elem"] ?? [];
    expect(own).toBe("'self'");
    const [, value = "absent"] = /^'nonce-(.{24})'$/.exec(nonce ?? "") ?? [];
    expect(page.text).toContain(`<meta property="csp-nonce" nonce="${value}">`);
    return value;
  });
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("what the page names is served compressed, and may be kept for ever", async () => {
  const { text } = await get(`${house.url}/playground`);
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] ?? "");
  expect(named.length).toBeGreaterThan(2);
  for (const address of named) {
    // Relative, so that a proxy may put the gateway below a path.
    expect(address).toMatch(/^playground\/assets\/.+-[\w-]{8}\.(js|css|svg)$/);
    const file = await get(`${house.url}/${address}`, { "accept-encoding": "gzip, br" });
    expect(file).toMatchObject({
      status: 200,
      headers: { "cache-control": "public, max-age=31536000, immutable" },
    });
    expect(policyOf(file)["script-src"]).toEqual(["'self'"]);
    if (/index-.+\.(js|css)$/.test(address)) expect(file.headers["content-encoding"]).toBe("gzip");
  }
});

test.each(["/playground/assets/absent.js", "/playground/assets/..%2findex.html"])(
  "%s is not found, and not cached",
  async (address) => {
    const { status, headers } = await get(house.url + address);
    expect({ status, cached: headers["cache-control"] }).toEqual({ status: 404, cached: "no-store" });
  },
);

describe("the demo's key", () => {
  const settings = (headers: Record<string, string>) => get(`${house.url}/playground/settings.json`, headers);

  test.each([
    ["the page itself", { host: "127.0.0.1:4000", "sec-fetch-site": "same-origin" }],
    ["by localhost", { host: "localhost:4000" }],
    ["by IPv6's loopback", { host: "[::1]:4000" }],
  ])("is told to %s", async (_, headers) => {
    const answer = await settings(headers);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ key: house.credentials.keys.payments });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test.each([
    ["a name that points here", { host: "rebound.example:4000" }],
    ["a name that looks like ours", { host: "127.0.0.1.example:4000" }],
    ["a name under localhost's", { host: "localhost.example" }],
    ["another site", { host: "127.0.0.1:4000", "sec-fetch-site": "cross-site" }],
    ["another port of this machine", { host: "127.0.0.1:4000", "sec-fetch-site": "same-site" }],
    ["one who types the address", { host: "127.0.0.1:4000", "sec-fetch-site": "none" }],
  ])("is not told to %s", async (_, headers) => {
    const answer = await settings(headers);
    expect(JSON.parse(answer.text)).toEqual({ key: null });
    expect(answer.text).not.toContain("uvz_");
  });

  test("is not told where the gateway listens beyond this machine", async () => {
    const open = await openHouse({ HOST: "0.0.0.0" }, { worker: false });
    const answer = await get(`${open.url}/playground/settings.json`);
    await open.close();
    expect(answer).toMatchObject({ status: 200, text: '{"key":null}' });
  });
});

test.each([
  ["switched off", { PLAYGROUND: "off" }],
  [
    "not asked for in production",
    {
      NODE_ENV: "production",
      ALLOW_EMBEDDED_POSTGRES: "on",
      ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    },
  ],
])("nothing is there where it is %s", async (_, given) => {
  const off = await openHouse(given, { worker: false });
  const answers = await Promise.all(
    ["", "/", "/settings.json", "/assets/"].map((rest) => get(`${off.url}/playground${rest}`)),
  );
  await off.close();
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

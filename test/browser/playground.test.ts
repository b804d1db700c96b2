import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import type { Credentials } from "../../src/cli/demo";
import { INSTALLS_WITHIN, launchChromium } from "../support/chromium";
import { ledgerOf, until } from "../support/client";
import { createTestDatabase, type TestDatabase } from "../support/database";
import { isReady, openPlayground, visitKeeps, type PlaygroundPage } from "../support/playground-page";
import { startWhole, type Process } from "../support/processes";

interface Answer {
  createPayment: {
    replayed: boolean;
    payment: {
      id: string;
      status: string;
      failure?: { code: string; retryAdvice: string };
    };
    operation?: { state: string; attempts: { outcome: string; evidence: string }[] };
  } | null;
}

interface Dashboard {
  payments: { nodes: { id: string; status: string }[] };
}

let database: TestDatabase;
let dataDir: string;
let gateway: Process;
let browser: Browser;
/** Shared by the visits, as on a person's machine: its cache and its local storage. */
let profile: BrowserContext;
let playground: PlaygroundPage;

jest.setTimeout(120_000);

const credentials = () =>
  JSON.parse(fs.readFileSync(path.join(dataDir, "credentials.json"), "utf8")) as Credentials;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-playground-"));
  [gateway, browser] = await Promise.all([
    startWhole({ DATABASE_URL: database.url, DATA_DIR: dataDir }),
    launchChromium(),
  ]);
  profile = await browser.newContext({ viewport: { width: 1360, height: 860 } });
}, INSTALLS_WITHIN + 60_000);

afterAll(async () => {
  await browser?.close();
  await gateway?.kill("SIGTERM");
  await database?.drop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** Each test is a visit of its own. */
beforeEach(async () => {
  playground = await openPlayground(profile, gateway.url);
});

/** Holds for every visit, so each ends with it. */
afterEach(async () => {
  const { page, asked, faults } = playground;
  const elsewhere = asked.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(`${gateway.url}/`));
  await page.close();
  expect({ elsewhere, faults }).toEqual({ elsewhere: [], faults: [] });
});

const storedIn = async ({ page }: PlaygroundPage) =>
  (await page.evaluate(`(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, document.cookie]);
  })()`)) as string;

test("create, replay and conflict are one intent: one payment, one charge", async () => {
  const created = await playground.run<Answer>("CreatePayment");
  expect(created.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });
  const id = created.data?.createPayment?.payment.id;

  const replayed = await playground.run<Answer>("ReplayPayment");
  expect(replayed.data?.createPayment).toMatchObject({ replayed: true, payment: { id, status: "CAPTURED" } });

  const conflict = await playground.run<Answer>("ConflictingPayment");
  expect(conflict.data?.createPayment).toBeNull();
  expect(conflict.errors?.[0]?.extensions).toMatchObject({
    code: "CONFLICT",
    changedFields: ["input.amount.amount"],
    paymentId: id,
  });

  const listed = await playground.run<Dashboard>("DashboardPayments");
  expect(listed.data?.payments.nodes.filter((payment) => payment.id === id)).toHaveLength(1);

  const again = await playground.run<Answer>("CreatePayment");
  expect(again.data?.createPayment).toMatchObject({ replayed: true, payment: { id } });
});

test("a decline is data, with its reason", async () => {
  const declined = await playground.run<Answer>("DeclinedPayment");
  expect(declined.errors).toBeUndefined();
  expect(declined.data?.createPayment?.payment).toMatchObject({
    status: "FAILED",
    failure: { code: "insufficient_funds" },
  });
});

test("a lost answer is IN_DOUBT, and comes right when it is run again", async () => {
  const sandbox = /Sandbox +(http:\S+)\/_sandbox/.exec(gateway.output())?.[1] ?? "";
  const before = (await ledgerOf(sandbox)).charges.length;

  const first = await playground.run<Answer>("PaymentInDoubt");
  expect(first.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "IN_DOUBT" } });

  const again = () => playground.run<Answer>("PaymentInDoubt");
  const last = await until(again, ({ data }) => data?.createPayment?.payment.status !== "IN_DOUBT", 20_000);
  expect(last.data?.createPayment).toMatchObject({
    replayed: true,
    payment: { id: first.data?.createPayment?.payment.id, status: "CAPTURED" },
    operation: { state: "SUCCEEDED" },
  });
  expect((await ledgerOf(sandbox)).charges).toHaveLength(before + 1);
});

test("each visit has a key of its own, which stays when the page is loaded again", async () => {
  const { page, textOf } = playground;
  const variables = await textOf("variables.json");
  const tabs = await page.getByRole("tab").allInnerTexts();
  expect(tabs).toHaveLength(6);
  // GraphiQL stores its tabs a moment later.
  await visitKeeps(page, "tabState", /DashboardPayments/);

  await page.reload();
  await isReady(page);
  expect(await page.getByRole("tab").allInnerTexts()).toEqual(tabs);
  expect(await textOf("variables.json")).toBe(variables);
  const created = await playground.run<Answer>("CreatePayment");
  expect(created.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });

  const other = await openPlayground(profile, gateway.url);
  expect(await other.textOf("variables.json")).not.toBe(variables);
  await other.page.close();
});

test("a key typed into the headers editor is used, and is never stored", async () => {
  const { other, keys } = credentials();
  await playground.run<Answer>("CreatePayment");

  await playground.typeKey(keys.viewer);
  const forbidden = await playground.run<Answer>("CreatePayment");
  expect(forbidden.errors?.[0]?.extensions.code).toBe("FORBIDDEN");

  // The other merchant has never used the idempotency key: to it, this is a new payment.
  await playground.typeKey(other.keys.payments);
  const created = await playground.run<Answer>("CreatePayment");
  expect(created.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });

  await visitKeeps(playground.page, "tabState", /CreatePayment/);
  await playground.page.reload();
  await isReady(playground.page);
  const stored = await storedIn(playground);
  expect(stored).toContain("CreatePayment");
  expect(stored).not.toMatch(/uvz_/);
  expect(await playground.textOf("request-headers.json")).not.toContain(other.keys.payments);
});

describe("OPS-03: below a path, over http, by a name that is not this machine's", () => {
  const NAME = "gateway.example";
  let proxy: http.Server;
  let elsewhere: Browser;

  beforeAll(async () => {
    proxy = http.createServer((message, response) => {
      const url = new URL((message.url ?? "").replace(/^\/pay/, ""), gateway.url);
      const forward = http.request(url, { method: message.method, headers: message.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      message.pipe(forward);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    elsewhere = await launchChromium(`--host-resolver-rules=MAP ${NAME} 127.0.0.1`);
  });
  afterAll(async () => {
    await elsewhere.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  test("the page works, offers no key, and uses the one that is typed", async () => {
    const url = `http://${NAME}:${(proxy.address() as AddressInfo).port}/pay`;
    const visit = await openPlayground(await elsewhere.newContext(), url);
    expect(await visit.textOf("request-headers.json")).not.toContain("uvz_");
    await visit.typeKey(credentials().keys.payments);
    const made = await visit.run<Answer>("CreatePayment");
    expect(made.data?.createPayment?.payment.status).toBe("CAPTURED");
    expect(visit.asked.filter((one) => !/^(data|blob):/.test(one) && !one.startsWith(`${url}/`))).toEqual([]);
    expect(visit.faults).toEqual([]);
  });
});

test("the schema's documentation opens", async () => {
  const { page } = playground;
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByText("Mutation", { exact: true }).click();
  await page.getByText("Makes a payment, once for each idempotency key.").first().waitFor();
});

import type { Browser, BrowserContext, Page } from "playwright-core";
import { INSTALLS_WITHIN, launchChromium } from "../support/chromium";
import { ledgerOf, until } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { openShop, type Shop } from "../support/shop";

/** A name whose plain http is no secure context: without Web Locks, `randomUUID` and `crypto.subtle`. */
const PLAIN = "shop.example";

interface Order {
  about: string;
  amount: string;
  token?: string;
  withinMs?: number;
  at?: number;
}

let house: House;
let browser: Browser;
let shop: Shop;
let context: BrowserContext;
let orders = 0;

jest.setTimeout(60_000);

beforeAll(async () => {
  [house, browser] = await Promise.all([
    openHouse(),
    launchChromium(`--host-resolver-rules=MAP ${PLAIN} 127.0.0.1`),
  ]);
  shop = await openShop(house.url, house.credentials.keys.payments);
}, INSTALLS_WITHIN + 60_000);

afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await house?.close();
});

beforeEach(async () => {
  shop.decide(() => "pass");
  shop.keys.length = 0;
  context = await browser.newContext();
});
afterEach(async () => {
  shop.release();
  await context.close();
});

async function openPage(name = "127.0.0.1"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`http://${name}:${shop.port}/`);
  return page;
}

const newOrder = (over: Partial<Order> = {}): Order => ({
  about: `order-${(orders += 1)}`,
  amount: "10.50",
  ...over,
});

const press = (page: Page, client: string, order: Order, times = 1) =>
  page.evaluate(
    ([how, what, often]) =>
      (globalThis as unknown as ShopPage).shop.press(how as string, what as Order, often as number),
    [client, order, times] as const,
  );

interface ShopPage {
  shop: {
    press(client: string, order: Order, times: number): Promise<string[]>;
    show(order: Order): void;
    about(): { durable: boolean; locks: boolean; randomUuid: boolean };
  };
}

const about = (page: Page) => page.evaluate(() => (globalThis as unknown as ShopPage).shop.about());

/** Counts what was charged while something is done. */
async function charged(work: () => Promise<void>): Promise<number> {
  const before = (await ledgerOf(house.sandboxUrl)).charges.length;
  await work();
  return (await ledgerOf(house.sandboxUrl)).charges.length - before;
}

const CLIENTS = ["apollo", "apollo link", "urql", "graphql-request", "fetch"];

describe.each(CLIENTS)("%s", (client) => {
  test("a triple click is one key and one charge", async () => {
    const page = await openPage();
    const order = newOrder();
    const charges = await charged(async () => {
      expect(await press(page, client, order, 3)).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
    });
    expect({ charges, keys: shop.keys.length }).toEqual({ charges: 1, keys: 1 });
  });

  test("an answer that is lost twice is asked for with the same key", async () => {
    const page = await openPage();
    shop.decide((nth) => (nth <= 2 ? "lose answer" : "pass"));
    const charges = await charged(async () => {
      expect(await press(page, client, newOrder())).toEqual(["SUCCEEDED"]);
    });
    expect(charges).toBe(1);
    expect(shop.keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(shop.keys).size).toBe(1);
  });

  test("a page that is loaded again while its request is under way goes on with its key", async () => {
    const page = await openPage();
    const order = newOrder();
    shop.decide(() => "hold answer");
    const charges = await charged(async () => {
      const lost = press(page, client, order).catch(() => "the page is gone");
      await until(
        async () => shop.keys.length,
        (sent) => sent === 1,
        10_000,
      );
      await page.reload();
      expect(await lost).toBe("the page is gone");
      shop.decide(() => "pass");
      expect(await press(page, client, order)).toEqual(["SUCCEEDED"]);
    });
    expect(charges).toBe(1);
    expect(shop.keys).toEqual([shop.keys[0], shop.keys[0]]);
  });
});

test("every answer is lost, and the page is loaded again: the same key finds the payment", async () => {
  const page = await openPage();
  const order = newOrder({ withinMs: 400 });
  shop.decide(() => "lose answer");
  const charges = await charged(async () => {
    expect(await press(page, "graphql-request", order)).toEqual(["UNKNOWN"]);
    await page.reload();
    shop.decide(() => "pass");
    // Another amount meanwhile: the gateway is asked first, and says that the order is paid.
    const [other] = await press(page, "graphql-request", { ...order, amount: "99.00" });
    expect(other).toMatch(/^EarlierIntentError: .*has succeeded$/);
    expect(await press(page, "graphql-request", order)).toEqual(["SUCCEEDED"]);
  });
  expect(charges).toBe(1);
  expect(new Set(shop.keys).size).toBe(1);
});

test.each(["127.0.0.1", PLAIN])("two tabs at %s press at once: one key, one charge", async (name) => {
  const tabs = await Promise.all([openPage(name), openPage(name)]);
  const isSecure = name !== PLAIN;
  expect(await about(tabs[0] as Page)).toEqual({ durable: true, locks: isSecure, randomUuid: isSecure });
  const order = newOrder();
  const charges = await charged(async () => {
    const at = Date.now() + 300;
    const came = await Promise.all(tabs.map((tab) => press(tab, "fetch", { ...order, at }, 3)));
    expect(came.flat()).toEqual(Array(6).fill("SUCCEEDED"));
  });
  expect(charges).toBe(1);
  expect(shop.keys).toEqual([shop.keys[0], shop.keys[0]]);
});

test("without its storage, a page still has one key, and says that it would not outlive it", async () => {
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get: () => {
        throw new DOMException("The storage is blocked.", "SecurityError");
      },
    });
  });
  const page = await openPage();
  expect(await about(page)).toMatchObject({ durable: false });
  const order = newOrder({ withinMs: 400 });
  shop.decide((nth) => (nth === 1 ? "lose answer" : "pass"));
  const charges = await charged(async () => {
    expect(await press(page, "fetch", order, 3)).toEqual(Array(3).fill("SUCCEEDED"));
  });
  expect(charges).toBe(1);
  expect(new Set(shop.keys).size).toBe(1);
});

test("a request that Chromium sends again by itself, as its kept-alive socket ended, charges once", async () => {
  const page = await openPage();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  // The first payment leaves a socket open, on which the second is sent.
  expect(await press(page, "fetch", newOrder())).toEqual(["SUCCEEDED"]);
  [sent.length, shop.keys.length] = [0, 0];
  shop.decide((nth) => (nth === 1 ? "lose answer" : "pass"));
  const charges = await charged(async () => {
    expect(await press(page, "fetch", newOrder())).toEqual(["SUCCEEDED"]);
  });
  // The page has sent one request; two have come.
  expect({ charges, sent: sent.length, come: shop.keys.length }).toEqual({ charges: 1, sent: 1, come: 2 });
  expect(shop.keys[1]).toBe(shop.keys[0]);
});

test("after a decline the next press is another payment", async () => {
  const page = await openPage();
  const order = newOrder();
  const declined = { ...order, token: "pm_card_visa_chargeDeclinedInsufficientFunds" };
  const charges = await charged(async () => {
    expect(await press(page, "urql", declined)).toEqual(["FAILED"]);
    expect(await press(page, "urql", order)).toEqual(["SUCCEEDED"]);
  });
  expect(charges).toBe(1);
  expect(new Set(shop.keys).size).toBe(2);
});

test("React's button: pressed three times, one charge, and it knows after a reload", async () => {
  const page = await openPage();
  const order = newOrder();
  const show = () => page.evaluate((it) => (globalThis as unknown as ShopPage).shop.show(it as Order), order);
  await show();
  const charges = await charged(async () => {
    await page.getByRole("button", { name: "idle" }).click({ clickCount: 3 });
    await page.getByRole("button", { name: `succeeded ${shop.keys[0] ?? ""}` }).waitFor();
    expect(await page.getByRole("button").innerText()).toBe(`succeeded ${shop.keys[0]}`);
  });
  expect({ charges, keys: shop.keys.length }).toEqual({ charges: 1, keys: 1 });
  await page.reload();
  await show();
  await page.getByRole("button", { name: "succeeded" }).waitFor();
});

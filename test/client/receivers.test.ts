import { createHmac } from "node:crypto";
import { EffectBusyError, memoryEffects, once } from "../../src/client/once";
import { verifyWebhook, WebhookError } from "../../src/client/webhook";

const SECRET = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
const NOW = 1_796_120_000_000;
const BODY = JSON.stringify({
  type: "payment.captured",
  timestamp: "2026-12-01T09:30:00.000Z",
  data: { event: { id: "evt_1" }, payment: { id: "pay_1", status: "CAPTURED" }, refund: null },
});

/** Signed by Node's own HMAC, as any sender of Standard Webhooks does. */
function signed({ body = BODY, at = NOW, secret = SECRET, id = "evt_1" } = {}) {
  const seconds = Math.floor(at / 1_000);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}

describe("verifyWebhook", () => {
  test("knows the example of Standard Webhooks' own libraries", async () => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const check = { now: 1_614_265_330_000 };
    const verify = (body: string) =>
      verifyWebhook(body, headers, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", check);
    // Its signature holds; its body is none of ours.
    await expect(verify('{"test": 2432232314}')).rejects.toThrow(/the body is not/);
    await expect(verify('{"test": 2432232315}')).rejects.toThrow(/the signature/);
  });

  test.each([
    ["Node's headers", signed()],
    ["fetch's headers", new Headers(signed())],
    [
      "headers in other letters",
      Object.fromEntries(Object.entries(signed()).map(([name, v]) => [name.toUpperCase(), v])),
    ],
  ])("reads a delivery with %s", async (_, headers) => {
    const message = await verifyWebhook(Buffer.from(BODY), headers, SECRET, { now: NOW });
    expect(message).toEqual({ ...JSON.parse(BODY), id: "evt_1", sentAt: new Date(NOW) });
  });

  test("takes one good signature among several, and one good secret", async () => {
    const good = signed()["webhook-signature"];
    const several = { ...signed(), "webhook-signature": `v1a,x v1,AAAA v1,not-base64! ${good}` };
    const other = `whsec_${Buffer.alloc(24, 6).toString("base64")}`;
    await expect(verifyWebhook(BODY, several, [other, SECRET], { now: NOW })).resolves.toBeDefined();
    await expect(verifyWebhook(BODY, several, other, { now: NOW })).rejects.toBeInstanceOf(WebhookError);
  });

  test.each([-301, -300, 300, 301])("a clock %d s away", async (seconds) => {
    const verified = verifyWebhook(BODY, signed({ at: NOW + seconds * 1_000 }), SECRET, { now: NOW });
    if (Math.abs(seconds) > 300) await expect(verified).rejects.toThrow(/more than 300 s/);
    else expect(await verified).toMatchObject({ type: "payment.captured" });
  });

  test.each([
    ["another body", BODY.replace("CAPTURED", "FAILED"), signed()],
    ["another id", BODY, { ...signed(), "webhook-id": "evt_2" }],
    ["another time", BODY, { ...signed(), "webhook-timestamp": String(NOW / 1_000 + 1) }],
    ["no id", BODY, { ...signed(), "webhook-id": undefined }],
    ["no time", BODY, { ...signed(), "webhook-timestamp": undefined }],
    ["a time that is none", BODY, { ...signed(), "webhook-timestamp": "1e9" }],
    ["no signature", BODY, { ...signed(), "webhook-signature": "" }],
    [
      "a signature of another version",
      BODY,
      { ...signed(), "webhook-signature": signed()["webhook-signature"].replace("v1", "v2") },
    ],
    [
      "a signature cut short",
      BODY,
      { ...signed(), "webhook-signature": signed()["webhook-signature"].slice(0, 20) },
    ],
  ])("refuses %s", async (_, body, headers) => {
    await expect(verifyWebhook(body, headers, SECRET, { now: NOW })).rejects.toBeInstanceOf(WebhookError);
  });
});

describe("once", () => {
  test("calls at the same time run the effect once, and all see what it returned", async () => {
    const store = memoryEffects();
    let runs = 0;
    const effect = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return ++runs;
    };
    const all = await Promise.all(Array.from({ length: 50 }, () => once("evt_1", effect, store)));
    expect(all.filter(({ ran }) => ran)).toHaveLength(1);
    expect(all.map(({ value }) => value)).toEqual(Array(50).fill(1));
    expect(await once("evt_1", effect, store)).toEqual({ ran: false, value: undefined });
    expect(await once("evt_2", effect, store)).toEqual({ ran: true, value: 2 });
  });

  test("an effect that failed may be tried again", async () => {
    const store = memoryEffects();
    const fails = () => Promise.reject(new Error("no mail today"));
    await expect(once("evt_1", fails, store)).rejects.toThrow("no mail today");
    expect(await once("evt_1", () => "sent", store)).toEqual({ ran: true, value: "sent" });
  });

  test("what another process is at is not done beside it", async () => {
    const store = memoryEffects();
    expect(await store.claim("evt_1")).toBe("claimed");
    await expect(once("evt_1", () => "sent", store)).rejects.toBeInstanceOf(EffectBusyError);
  });

  test("the memory is bounded", async () => {
    const store = memoryEffects(2);
    for (const key of ["a", "b", "c"]) await once(key, () => key, store);
    expect(await Promise.all(["a", "b", "c"].map((key) => store.claim(key)))).toEqual([
      "claimed",
      "done",
      "done",
    ]);
  });
});

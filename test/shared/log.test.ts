import { spawnSync } from "node:child_process";
import path from "node:path";
import { createLog, scrub, type Log } from "../../src/shared/log";

/** What a log writes while `work` uses it, a line each, as it was written. */
function written(work: (log: Log) => void, level = "trace"): string[] {
  const chunks: string[] = [];
  work(createLog({ level, destination: { write: (chunk) => void chunks.push(chunk) } }));
  return chunks.join("").split("\n").slice(0, -1);
}

const entry = (line: string | undefined) => JSON.parse(line ?? "") as Record<string, unknown>;

describe("the log", () => {
  test("writes one line of JSON an entry, with its level, its time and its process", () => {
    const lines = written((log) => log.info({ paymentId: "pay_1" }, "recorded"));
    expect(lines).toHaveLength(1);
    expect(entry(lines[0])).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pid: process.pid,
      paymentId: "pay_1",
      msg: "recorded",
    });
  });

  test("writes nothing below its level", () => {
    const work = (log: Log) => (log.debug("no"), log.info("no"), log.warn("yes"), log.error("yes"));
    expect(written(work, "warn").map((line) => entry(line).msg)).toEqual(["yes", "yes"]);
    expect(written(work, "silent")).toEqual([]);
  });

  test("KEY-01: a line break in what is logged does not make a second line", () => {
    const forged = 'x\r\n{"level":60,"msg":"forged"}\u2028\n';
    const lines = written((log) => log.warn({ key: forged, err: new Error(forged) }, forged));
    expect(lines).toHaveLength(1);
    expect(entry(lines[0])).toMatchObject({ key: forged, msg: forged });
  });

  test.each<[string, string]>([
    ["our API key", "uvz_4fTqW8b2LrN0cYhK5eJmXs7dVg1aZo9uABCDEF"],
    ["a provider's key", "sk_test_51HxSandbox0"],
    ["a provider's live key", "sk_live_51HxSandbox0"],
    ["a restricted key", "rk_live_51HxSandbox0"],
    ["a signing secret", "whsec_C2FVsBQIhrsc/hlQIMV+b5sSYspob7oD=="],
    ["a bearer token", "Bearer abc.def-ghi"],
    ["a bearer token in lower case", "authorization: bearer abcdefghi"],
    ["a client's secret", "pi_123_secret_A1b2C3d4"],
    ["a JSON Web Token", "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"],
    ["the password of an address", "postgres://umavez:hunter2@db.internal:5432/umavez"],
    ["a card number", "4242424242424242"],
    ["a card number in groups, with its expiry", "4242 4242 4242 4242 12/30"],
    ["an American Express number", "3782-822463-10005"],
  ])("takes out %s, wherever it stands", (_, secret) => {
    const bare = /51Hx|4fTqW|C2FVs|hlQIM|abc|A1b2|c2lnb|hunter2|4242|822463/;
    expect(secret).toMatch(bare);
    const lines = written((log) => {
      log.info(secret);
      log.info(`before ${secret} behind`);
      log.info({ [secret]: 1, list: [secret], deep: { deeper: { text: secret } } }, "msg");
      log.error({ err: new Error(`refused: ${secret}`, { cause: new Error(secret) }) });
      log.child({ bound: secret }).info('a "quoted" %s', secret);
    });
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      expect(line).not.toMatch(bare);
      expect(line).toContain("removed]");
      expect(entry(line).level).toBeDefined();
    }
  });

  test("takes out a card number that is logged as a number, and stays JSON", () => {
    const lines = written((log) =>
      log.info({ a: 4242424242424242, b: [-4242424242424242, 1], c: 4242424242424242.5 }),
    );
    expect(lines[0]).not.toMatch(/4242/);
    expect(entry(lines[0])).toMatchObject({ a: "[card number removed]", b: ["[card number removed]", 1] });
  });

  test.each([
    "pm_card_visa",
    "pm_sandbox_replyLost",
    "pay_01h455vb4pex5vsknk084sn02q",
    "uvzr357a4h2zpvph5egxy3ylc2im4ok73asc3rn4dfs",
    "019ae3c0-1111-7111-8111-111111111111",
    "task_list, risk_score, desk_1",
    "1764551851000",
    "https://example.com:8080/a@b",
    "90071992547409.91",
  ])("leaves %j as it is", (text) => {
    const [line] = written((log) => log.info({ text }, text));
    expect(entry(line)).toMatchObject({ text, msg: text });
  });

  test("spends time that grows with the line alone", () => {
    const began = performance.now();
    for (const part of ["eyJ", "eyJ-.", "1 ", "://a:", "uvz_", '\\"', "Bearer "]) scrub(part.repeat(20_000));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test("goes to stderr, so that stdout stays for people, and its last line is not lost", () => {
    const script = `require("./src/shared/log").createLog({ level: "info" }).fatal("the last words"); process.exit(3);`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ["-r", "@swc-node/register", "-e", script],
      {
        cwd: path.join(__dirname, "../.."),
        encoding: "utf8",
      },
    );
    expect({ stdout, status, msg: entry(stderr).msg }).toEqual({
      stdout: "",
      status: 3,
      msg: "the last words",
    });
  });
});

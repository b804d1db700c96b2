"use strict";
// `npm run figures`: medians of five on this machine, as README shows them.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const ROUNDS = 5;
const PAYMENTS = 500;
const CALLERS = 200;
const CREATE = `mutation ($key: IdempotencyKey!) { createPayment(idempotencyKey: $key, input: { amount: { amount: "10.50", currency: "BRL" }, method: { card: { token: "pm_card_visa" } } }) { replayed payment { id status } } }`;

async function main() {
  const first = [];
  const later = [];
  const stop = [];
  const folders = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-figures-"));
    folders.push(dataDir);
    first.push(await startAndStop(dataDir, stop));
    later.push(await startAndStop(dataDir, stop));
  }
  const running = await start(folders[0]);
  const key = JSON.parse(fs.readFileSync(path.join(folders[0], "credentials.json"), "utf8")).keys.payments;
  const create = (idempotencyKey) => post(running.url, key, idempotencyKey);
  await Promise.all(Array.from({ length: 50 }, (_, i) => create(`warm-${i}`)));
  const rate = [];
  const storm = [];
  const single = [];
  // What the warm-up has set off (webhooks, the relay) is over: these are alone.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  for (let round = 0; round < ROUNDS; round += 1) single.push(await timed(() => create(`single-${round}`)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const ms = await timed(() =>
      Promise.all(Array.from({ length: PAYMENTS }, (_, i) => create(`rate-${round}-${i}`))),
    );
    rate.push((PAYMENTS / ms) * 1_000);
    storm.push(
      await timed(() => Promise.all(Array.from({ length: CALLERS }, () => create(`storm-${round}`)))),
    );
  }
  await running.stop();
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  const cpu = os.cpus();
  console.log(
    `Medians of ${ROUNDS} on ${cpu.length} cores of ${cpu[0].model.trim()}, Node ${process.versions.node}:`,
  );
  console.log(`first start (makes the database) ${seconds(first)}`);
  console.log(`later starts                     ${seconds(later)}`);
  console.log(`stop                             ${seconds(stop)}`);
  console.log(`one payment, alone               ${median(single).toFixed(0)} ms`);
  console.log(`${CALLERS} calls with one key at once   ${median(storm).toFixed(0)} ms for all of them`);
  console.log(
    `${PAYMENTS} payments at once             ${median(rate).toFixed(0)} a second, sandbox included`,
  );
}

async function startAndStop(dataDir, stops) {
  const running = await start(dataDir);
  stops.push(await timed(() => running.stop()));
  return running.ms;
}

function start(dataDir) {
  const begun = performance.now();
  const child = spawn(process.execPath, [path.join(__dirname, "..", "bin", "umavez.js"), "start"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", SANDBOX_PORT: "0", LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("exit", () => reject(new Error(text)));
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const url = /GraphQL +(http:\S+)\/graphql/.exec(text)?.[1];
      if (!url || !text.includes("\ncurl ")) return;
      const stop = () =>
        new Promise((done) => {
          child.removeAllListeners("exit");
          child.once("exit", done);
          child.kill("SIGTERM");
        });
      resolve({ url, stop, ms: performance.now() - begun });
    });
  });
}

async function post(url, key, idempotencyKey) {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: CREATE, variables: { key: idempotencyKey } }),
  });
  const reply = await response.json();
  if (reply.data?.createPayment?.payment.status !== "CAPTURED") throw new Error(JSON.stringify(reply));
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const seconds = (all) => `${(median(all) / 1_000).toFixed(2)} s`;

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

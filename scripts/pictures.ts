// Makes the pictures in README anew, of what runs: `npm run pictures`.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { launchChromium } from "../test/support/chromium";
import { openPlayground } from "../test/support/playground-page";
import { startWhole } from "../test/support/processes";

const FOLDER = path.join(__dirname, "..", "docs", "images");

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-pictures-"));
  const gateway = await startWhole({ DATA_DIR: dataDir });
  try {
    fs.mkdirSync(FOLDER, { recursive: true });
    await takeTerminal(gateway.output());
    await takePlayground(gateway.url);
  } finally {
    await gateway.kill("SIGTERM");
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What a start prints, and what its curl answers the first time, again, and with another amount. */
async function takeTerminal(printed: string): Promise<void> {
  const curl = printed.split("\n").find((line) => line.startsWith("curl ")) ?? "";
  const answer = (command: string) => pretty(execFileSync("bash", ["-c", command], { encoding: "utf8" }));
  const welcome = printed.slice(printed.indexOf("Umavez is up")).split("\nMake a payment")[0] ?? "";
  const shown = [
    `<i>$</i> npm start\n\n${escape(welcome.replaceAll(/(uvz_\w{6})\w+/g, "$1…"))}`,
    `<i>$</i> curl …   <b># paste it</b>\n${escape(answer(curl))}`,
    `<i>$</i> curl …   <b># paste it again</b>\n${escape(answer(curl))}`,
    `<i>$</i> curl …   <b># another amount under the same key</b>\n${escape(answer(curl.replace("10.50", "99.00")))}`,
  ];
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 600 }, deviceScaleFactor: 2 });
    await page.setContent(`<style>${TERMINAL}</style><pre>${shown.join("\n")}</pre>`);
    const file = path.join(FOLDER, "terminal.png");
    await page.locator("pre").screenshot({ path: file });
    console.log(path.relative(process.cwd(), file));
  } finally {
    await browser.close();
  }
}

const TERMINAL = `
  body { margin: 0; background: #fff }
  pre { margin: 0; padding: 28px 32px; width: 936px; border-radius: 10px; background: #10201e; color: #dfe9e6;
        font: 15px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap }
  i { font-style: normal; color: #4fc3ae }
  b { font-weight: normal; color: #8aa39d }`;

/** The part of an answer that matters, a line for each of its members. */
function pretty(answer: string): string {
  const { data, errors } = JSON.parse(answer) as {
    data: { createPayment: object | null } | null;
    errors?: { extensions: Record<string, unknown> }[];
  };
  if (!errors) return `${JSON.stringify(data?.createPayment).replaceAll(",", ", ").replaceAll(":", ": ")}\n`;
  const { code, reason, changedFields } = errors[0]?.extensions ?? {};
  return `${JSON.stringify({ code, reason, changedFields }).replaceAll(",", ", ").replaceAll(":", ": ")}\n`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** A payment that was sent twice: the second answer. */
async function takePlayground(url: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const size = { viewport: { width: 1360, height: 860 }, deviceScaleFactor: 2 };
    const { page, run } = await openPlayground(await browser.newContext(size), url);
    await run("CreatePayment");
    await run("ReplayPayment");
    const file = path.join(FOLDER, "playground.png");
    await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
    console.log(path.relative(process.cwd(), file));
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

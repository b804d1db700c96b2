// Makes the pictures in README anew, of what runs: `npm run pictures`.
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
    await takePlayground(gateway.url);
  } finally {
    await gateway.kill("SIGTERM");
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
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
    fs.mkdirSync(FOLDER, { recursive: true });
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

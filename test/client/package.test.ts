import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";

const ROOT = path.join(__dirname, "..", "..");
const PACKAGE = path.join(ROOT, "src", "client");

const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const node = (cwd: string, ...args: string[]) => run(cwd, process.execPath, ...args);

describe("packed, and installed in a folder that has nothing", () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-client-"));
    const [packed] = JSON.parse(run(PACKAGE, "npm", "pack", "--json", "--pack-destination", folder)) as {
      filename: string;
    }[];
    fs.writeFileSync(path.join(folder, "package.json"), "{}");
    run(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", `./${packed?.filename}`);
  }, 60_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const USE = `
    const intents = createIntents();
    const send = async ({ key }) => ({ data: { createPayment: { operation: { state: "SUCCEEDED" } } } });
    intents.perform({ kind: "create", about: "order-7" }, {}, send).then(({ state }) =>
      console.log(state, intents.durable, CreatePayment.hash.length, typeof verifyWebhook, typeof once));`;
  const NAMES = "{ createIntents, verifyWebhook, once }";
  const EXPECTED = "SUCCEEDED false 64 function function\n";

  test("it is imported", () => {
    const text = `import ${NAMES} from "@umavez/client"; import { CreatePayment } from "@umavez/client/operations";`;
    expect(node(folder, "--input-type=module", "-e", text + USE)).toBe(EXPECTED);
  });

  test("it is required", () => {
    const text = `const ${NAMES} = require("@umavez/client"); const { CreatePayment } = require("@umavez/client/operations");`;
    expect(node(folder, "-e", text + USE)).toBe(EXPECTED);
  });

  test("it brings nothing else, and its README", () => {
    expect(fs.readdirSync(path.join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(
      ["@umavez"],
    );
    expect(fs.readdirSync(path.join(folder, "node_modules", "@umavez", "client")).sort()).toEqual([
      "README.md",
      "dist",
      "package.json",
    ]);
  });

  test.each(["a.mts", "a.cts"])("its types hold, and refuse, in %s", (file) => {
    const good = `
      import { createIntents, createSender, verifyWebhook } from "@umavez/client";
      import { CreatePayment } from "@umavez/client/operations";
      const send = createSender({ url: "https://gateway.example/graphql" });
      const input = { amount: { amount: "1", currency: "BRL" }, method: { card: { token: "t" } } };
      export const paid = createIntents().perform({ kind: "create", about: "7" }, input, ({ key, signal }) =>
        send(CreatePayment, { key, input }, signal)).then((outcome) => {
          const status: string | undefined = outcome.reply?.data?.createPayment?.payment.status;
          // @ts-expect-error there is no such field
          outcome.reply?.data?.createPayment?.payment.nothing;
          return status;
        });
      // @ts-expect-error there is no such kind
      createIntents().find({ kind: "pay", about: "7" });
      export const message = verifyWebhook("", new Headers(), "whsec_");`;
    fs.writeFileSync(path.join(folder, file), good);
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "false",
      "--target",
      "es2022",
      "--module",
      "node20",
    ];
    const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const typed = [...options, "--lib", "es2023,dom,dom.iterable", file];
    expect(node(folder, tsc, ...typed)).toBe("");
  });
});

test.each(["apollo", "react"])("@umavez/client/%s is found by import and by require", (name) => {
  const wanted = name === "apollo" ? "createIntentLink" : "useIntent";
  const imported = `import * as all from "@umavez/client/${name}"; console.log(typeof all.${wanted})`;
  expect(node(ROOT, "--input-type=module", "-e", imported)).toBe("function\n");
  expect(node(ROOT, "-e", `console.log(typeof require("@umavez/client/${name}").${wanted})`)).toBe(
    "function\n",
  );
});

test("what a page pays for: the core is small, and the rest is left out where it is not used", () => {
  const sizes = Object.fromEntries(
    ["createIntents", "verifyWebhook", "once"].map((name) => [name, zippedSizeOf(name)]),
  );
  console.log(`@umavez/client, minified and gzipped: ${JSON.stringify(sizes)} bytes`);
  expect(sizes.createIntents).toBeLessThan(3_800);
  expect(sizes.verifyWebhook).toBeLessThan(1_400);
  expect(sizes.once).toBeLessThan(700);
}, 60_000);

/** What a bundler makes of one import. */
function zippedSizeOf(name: string): number {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-size-"));
  try {
    const entry = path.join(PACKAGE, "dist", "esm", "entry.js");
    fs.writeFileSync(
      path.join(folder, "a.js"),
      `import { ${name} } from "${entry}"; globalThis.it = ${name};`,
    );
    const config = {
      logLevel: "silent",
      publicDir: false,
      build: { outDir: "out", modulePreload: false, rollupOptions: { input: "a.js" } },
    };
    fs.writeFileSync(path.join(folder, "vite.config.mjs"), `export default ${JSON.stringify(config)}`);
    node(folder, path.join(ROOT, "node_modules", "vite", "bin", "vite.js"), "build");
    const [made] = fs.readdirSync(path.join(folder, "out", "assets"));
    return zlib.gzipSync(fs.readFileSync(path.join(folder, "out", "assets", made ?? ""))).length;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

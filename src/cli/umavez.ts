import { Command } from "commander";
import { ConfigError } from "../config";
import { addKeyCommands } from "./keys";
import { addMerchantCommands } from "./merchants";
import { runMigrate } from "./migrate";
import { addOperationCommands } from "./operations";
import { runSandbox } from "./sandbox";
import { runServe, runWorker } from "./serve";
import { runStart } from "./start";
import { addWebhookCommands } from "./webhooks";

const program = new Command("umavez").description(
  "A GraphQL payments gateway that makes an intent to move money take effect once. Settings come from the environment; README lists them.",
);

const COMMANDS: [name: string, description: string, run: () => Promise<void>][] = [
  ["start", "database, migrations, sandbox provider, gateway and worker, until Ctrl-C", runStart],
  ["serve", "the gateway alone, for a database and a sandbox that exist", runServe],
  ["worker", "recovery alone, for a database and a sandbox that exist", runWorker],
  ["sandbox", "the sandbox provider alone", runSandbox],
  ["migrate", "bring the database's schema up to date", runMigrate],
];

for (const [name, description, run] of COMMANDS) program.command(name).description(description).action(run);
addMerchantCommands(program);
addKeyCommands(program);
addOperationCommands(program);
addWebhookCommands(program);

program.parseAsync().then(
  // A connection that somebody still holds open must not keep a stopped process alive.
  () => process.exit(0),
  (error: Error) => {
    const title = error instanceof ConfigError ? "The settings do not hold:" : "umavez:";
    console.error(`${title} ${error instanceof ConfigError ? "\n" : ""}${error.message}`);
    process.exit(1);
  },
);

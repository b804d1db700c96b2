import type { Command } from "commander";
import { readOnly } from "../db/transaction";
import { listWebhooks } from "../inbox/list-webhooks";
import { encodeId } from "../shared/ids";
import { firstOption, merchantOption } from "./arguments";
import { printList, type PrintOptions, type Row } from "./print";
import { merchantsOf, withDatabase, type Desk } from "./with-database";

interface ListOptions extends PrintOptions {
  waiting?: boolean;
  merchant?: string;
  first: number;
}

/** `umavez webhooks list`: what providers told. */
export function addWebhookCommands(program: Command): void {
  const webhooks = program.command("webhooks").description("what providers told us: list it");
  webhooks
    .command("list")
    .description("providers' events, newest first")
    .option("--waiting", "only those that could not be applied yet, or match nothing of ours")
    .addOption(merchantOption())
    .addOption(firstOption("how many of each merchant"))
    .option("--json", "print JSON")
    .action((options: ListOptions) => withDatabase((desk) => list(desk, options)));
}

async function list({ db }: Desk, { waiting = false, merchant, first, json }: ListOptions): Promise<void> {
  const rows: Row[] = [];
  for (const owner of await merchantsOf(db, merchant)) {
    const told = await readOnly(db, owner, (read) => listWebhooks(read, { first, waiting }));
    for (const { eventId, type, state, paymentId, tries, receivedAt, lastError } of told)
      rows.push({
        merchant: encodeId("mer", owner),
        event: eventId,
        type,
        state,
        payment: paymentId && encodeId("pay", paymentId),
        tries,
        receivedAt: receivedAt.toISOString(),
        lastError,
      });
  }
  printList(rows, waiting ? "Nothing waits." : "No provider has told anything yet.", { json });
}

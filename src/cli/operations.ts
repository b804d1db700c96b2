import { Argument, type Command } from "commander";
import { ownerOf } from "../access/merchants";
import { readOnly, type Reader } from "../db/transaction";
import { countersOf, findOperation, unfinishedOf } from "../idempotency/find-operations";
import type { Operation } from "../idempotency/operation.entity";
import { attemptsOf } from "../payments/find-payments";
import { listOperations } from "../payments/list-operations";
import { encodeId } from "../shared/ids";
import { firstOption, idOf, merchantOption } from "./arguments";
import { printList, printOne, type PrintOptions } from "./print";
import { merchantsOf, withDatabase, type Desk } from "./with-database";

interface ListOptions extends PrintOptions {
  stuck?: boolean;
  merchant?: string;
  first: number;
}

/** `umavez operations list|show`. */
export function addOperationCommands(program: Command): void {
  const operations = program.command("operations").description("operations: list them, show one");
  operations
    .command("list")
    .description("operations, newest first")
    .option("--stuck", "only those that are parked, or should have ended")
    .addOption(merchantOption())
    .addOption(firstOption("how many"))
    .option("--json", "print JSON")
    .action((options: ListOptions) => withDatabase((desk) => list(desk, options)));
  operations
    .command("show")
    .description("one operation, with its attempts at providers")
    .addArgument(new Argument("<id>", "the operation's id: op_…").argParser(idOf("op", "an operation")))
    .option("--json", "print JSON")
    .action((id: string, options: PrintOptions) => withDatabase((desk) => show(desk, id, options)));
}

async function list({ config, db }: Desk, { stuck, merchant, first, json }: ListOptions) {
  const wanted = { first, filter: stuck ? { stuck } : {}, stuckAfter: config.lease };
  const found: Operation[] = [];
  for (const owner of await merchantsOf(db, merchant)) {
    const page = await readOnly(db, owner, (read) => listOperations(read, wanted));
    found.push(...page.edges.map((edge) => edge.node));
  }
  found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  printList(found.slice(0, first).map(rowOf), stuck ? "Nothing is stuck." : "There is no operation yet.", {
    json,
  });
}

async function show({ db }: Desk, id: string, options: PrintOptions) {
  const owner = await ownerOf(db, "operations", id);
  const told = owner === null ? null : await readOnly(db, owner, (read) => tell(read, id));
  if (told === null) throw new Error(`there is no operation ${encodeId("op", id)}`);
  const { attempts, ...operation } = told;
  if (options.json) return printOne(told, options);
  printOne(operation, options);
  console.log("\nattempts");
  printList(attempts, "none", options);
}

async function tell(read: Reader, id: string) {
  const operation = await findOperation(read, { id });
  if (operation === null) return null;
  const [counter] = await countersOf(read, [id]);
  const [unfinished] = await unfinishedOf(read, [id]);
  const attempts = await attemptsOf(read, [id]);
  return {
    ...rowOf(operation),
    reason: operation.reason,
    completedAt: operation.completedAt?.toISOString() ?? null,
    nextAttemptAt: unfinished?.dueAt.toISOString() ?? null,
    replays: Number(counter?.replays ?? 0),
    collisions: Number(counter?.collisions ?? 0),
    attempts: attempts.map(
      ({ number, provider, reference, providerReference, outcome, evidence, detail }) => ({
        number,
        provider,
        reference,
        providerReference,
        outcome,
        evidence,
        detail,
      }),
    ),
  };
}

function rowOf({ merchantId, id, kind, state, idempotencyKey, paymentId, createdAt, lastError }: Operation) {
  return {
    id: encodeId("op", id),
    merchant: encodeId("mer", merchantId),
    kind,
    state,
    idempotencyKey,
    payment: encodeId("pay", paymentId),
    createdAt: createdAt.toISOString(),
    lastError,
  };
}

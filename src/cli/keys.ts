import { Argument, Option, type Command } from "commander";
import type { ApiKey, ApiKeyRole } from "../access/access.entity";
import { endApiKey, listApiKeys } from "../access/api-keys";
import { issueApiKey } from "../access/issue-api-key";
import { ownerOf } from "../access/merchants";
import { readOnly } from "../db/transaction";
import { encodeId } from "../shared/ids";
import { idOf, merchantOption, nameOf } from "./arguments";
import { printList, printOne, type PrintOptions } from "./print";
import { merchantsOf, withDatabase, type Desk } from "./with-database";

const ROLES: ApiKeyRole[] = ["ADMIN", "PAYMENTS", "VIEWER", "OPERATOR"];

interface CreateOptions extends PrintOptions {
  merchant: string;
  name: string;
  role: ApiKeyRole;
}

/** `umavez keys create|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const keys = program.command("keys").description("API keys: make one, list them, revoke one");
  keys
    .command("create")
    .description("make an API key, and show its secret this once")
    .addOption(merchantOption().makeOptionMandatory())
    .addOption(
      new Option("--name <name>", "what it is called, for people").argParser(nameOf).makeOptionMandatory(),
    )
    .addOption(new Option("--role <role>", "what its holder may do").choices(ROLES).makeOptionMandatory())
    .option("--json", "print JSON")
    .action((options: CreateOptions) => withDatabase((desk) => create(desk, options)));
  keys
    .command("list")
    .description("API keys, newest first, revoked ones too")
    .addOption(merchantOption())
    .option("--json", "print JSON")
    .action((options: PrintOptions & { merchant?: string }) => withDatabase((desk) => list(desk, options)));
  keys
    .command("revoke")
    .description("end an API key at once, in every process")
    .addArgument(new Argument("<id>", "the key's id: key_…").argParser(idOf("key", "a key")))
    .option("--json", "print JSON")
    .action((id: string, options: PrintOptions) => withDatabase((desk) => revoke(desk, id, options)));
}

async function create({ db }: Desk, { merchant, name, role, json }: CreateOptions) {
  const [owner] = await merchantsOf(db, merchant);
  const { apiKey, secret } = await issueApiKey(db, owner as string, { name, role });
  printOne({ ...rowOf(apiKey), secret }, { json });
  if (!json) console.log("\nThe secret is shown this once: only its hash is kept.");
}

async function list({ db }: Desk, { merchant, json }: PrintOptions & { merchant?: string }) {
  const rows = [];
  for (const owner of await merchantsOf(db, merchant))
    rows.push(...(await readOnly(db, owner, listApiKeys)).map(rowOf));
  printList(rows, "There is no API key yet.", { json });
}

async function revoke({ db }: Desk, id: string, options: PrintOptions) {
  const owner = await ownerOf(db, "api_keys", id);
  const ended = owner === null ? null : await endApiKey(db, owner, id);
  if (ended === null) throw new Error(`there is no API key ${encodeId("key", id)}`);
  printOne(rowOf(ended), options);
}

function rowOf({ merchantId, id, name, role, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    id: encodeId("key", id),
    merchant: encodeId("mer", merchantId),
    name,
    role,
    prefix,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

import { Argument, type Command } from "commander";
import { createMerchant, listMerchants, type ListedMerchant } from "../access/merchants";
import { createCipher } from "../shared/encryption";
import { encodeId } from "../shared/ids";
import { nameOf } from "./arguments";
import { existingEncryptionKey } from "./data-dir";
import { ensureSandboxAccount } from "./demo";
import { printList, printOne, type PrintOptions } from "./print";
import { withDatabase, type Desk } from "./with-database";

/** `umavez merchants create|list`. */
export function addMerchantCommands(program: Command): void {
  const merchants = program.command("merchants").description("merchants: make one, list them");
  merchants
    .command("create")
    .description("make a merchant; it takes payments once it has an account at a provider")
    .addArgument(new Argument("<name>", "what it is called: 1 to 100 bytes of UTF-8").argParser(nameOf))
    .option("--sandbox", "give it an account at the sandbox provider")
    .option("--json", "print JSON")
    .action((name: string, options: PrintOptions & { sandbox?: boolean }) =>
      withDatabase((desk) => create(desk, name, options)),
    );
  merchants
    .command("list")
    .description("all merchants, oldest first")
    .option("--json", "print JSON")
    .action((options: PrintOptions) => withDatabase((desk) => list(desk, options)));
}

async function create({ config, db }: Desk, name: string, options: PrintOptions & { sandbox?: boolean }) {
  const cipher = options.sandbox ? createCipher(existingEncryptionKey(config)) : null;
  const merchant = await createMerchant(db, name);
  if (cipher) await ensureSandboxAccount({ db, cipher }, merchant.id);
  printOne(rowOf(merchant), options);
}

async function list({ db }: Desk, options: PrintOptions) {
  printList((await listMerchants(db)).map(rowOf), "There is no merchant yet.", options);
}

function rowOf({ id, name, createdAt }: ListedMerchant) {
  return { id: encodeId("mer", id), name, createdAt: createdAt.toISOString() };
}

import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import { newUuid } from "../shared/ids";

/** A merchant as the command line lists it. */
export interface ListedMerchant {
  id: string;
  name: string;
  createdAt: Date;
}

const COLUMNS = `id, name, created_at as "createdAt"`;

/** Makes a merchant. It can take payments once it has an account at a provider. */
export async function createMerchant(db: DataSource, name: string): Promise<ListedMerchant> {
  const [merchant] = await acrossMerchants<ListedMerchant>(
    db,
    `insert into merchants (id, name) values ($1, $2) returning ${COLUMNS}`,
    [newUuid(), name],
  );
  return merchant as ListedMerchant;
}

/** All merchants, oldest first. */
export async function listMerchants(db: DataSource): Promise<ListedMerchant[]> {
  return acrossMerchants(db, `select ${COLUMNS} from merchants order by created_at, id`);
}

/** Whose a row is, where only its id is known; null where nobody's. One look into each merchant's index. */
export async function ownerOf(
  db: DataSource,
  table: "api_keys" | "operations",
  id: string,
): Promise<string | null> {
  const [owner] = await acrossMerchants<{ id: string }>(
    db,
    `select m.id from merchants as m, lateral
       (select from ${table} where merchant_id = m.id and id = $1 limit 1) as found`,
    [id],
  );
  return owner?.id ?? null;
}

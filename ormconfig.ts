import { DataSource } from "typeorm";
import { entities } from "./src/entities";
import { migrations } from "./src/db/migrate";

/** For TypeORM's command line: `DATABASE_URL=… npx typeorm -d ormconfig.ts migration:show`. */
export const dataSource = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  entities,
  migrations,
  installExtensions: false,
});

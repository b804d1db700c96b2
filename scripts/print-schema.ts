// `npm run schema`: writes schema/schema.graphql from the classes.
import fs from "node:fs";
import path from "node:path";
import { printedSchema } from "../src/graphql/schema";

fs.writeFileSync(path.join(__dirname, "..", "schema", "schema.graphql"), printedSchema());

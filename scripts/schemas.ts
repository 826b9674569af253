/** `npm run schemas` writes the table of docs/protocols/provider-schemas.md from the tables of the providers. */
import { readFileSync, writeFileSync } from "node:fs";
import { schemaTable } from "./schema-table.js";

const file = "docs/protocols/provider-schemas.md";
const [intro = ""] = readFileSync(file, "utf8").split("<!-- prettier-ignore-start -->");
writeFileSync(
  file,
  `${intro}<!-- prettier-ignore-start -->\n\n${schemaTable()}\n\n<!-- prettier-ignore-end -->\n`,
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaTable } from "../../scripts/schema-table.js";

test("docs/protocols/provider-schemas.md has the tables of the providers; if not, run npm run schemas", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/protocols/provider-schemas.md"), "utf8");
  expect(page).toContain(schemaTable());
});

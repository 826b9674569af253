/**
 * `npm run compare:apps` runs the same app with millrace, the AI SDK and LangChain.js, and writes the table in
 * docs/learn/comparison.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { compareApps, compared } from "../test/conformance/compare/same-app/compare-apps.js";
import { withTable } from "../test/conformance/compare/same-app/section.js";

const file = "docs/learn/comparison.md";
const rows = await compareApps(7);
const table = [
  `| | ${compared.join(" | ")} |`,
  `| ---${" | ---".repeat(compared.length)} |`,
  ...rows.map(({ label, cells }) => `| ${[label, ...cells].join(" | ")} |`),
].join("\n");
const options = { ...(await resolveConfig(file)), filepath: file };
writeFileSync(file, await format(withTable(readFileSync(file, "utf8"), table), options));
console.log(table);

/**
 * `npm run compare:apps` runs the same app with millrace, the AI SDK and LangChain.js, and writes the table in
 * docs/learn/comparison.md.
 */
import { readFileSync } from "node:fs";
import { compareApps, compared } from "../test/conformance/compare/same-app/compare-apps.js";
import { withTable } from "../test/conformance/compare/same-app/section.js";
import { writeFormatted } from "../scripts/write-formatted.js";

const file = "docs/learn/comparison.md";
const rows = await compareApps(7);
const table = [
  `| | ${compared.join(" | ")} |`,
  `| ---${" | ---".repeat(compared.length)} |`,
  ...rows.map(({ label, cells }) => `| ${[label, ...cells].join(" | ")} |`),
].join("\n");
writeFormatted(file, withTable(readFileSync(file, "utf8"), table));
console.log(table);

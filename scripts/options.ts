/**
 * `npm run options` writes docs/reference/options.md from the docblocks: every public option with its type, meaning and
 * default.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { publicOptions } from "./public-options.js";

const file = "docs/reference/options.md";
const [intro = ""] = readFileSync(file, "utf8").split("<!-- prettier-ignore-start -->");
const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);
const rows = publicOptions().map(
  ({ name, owner, type, doc }) => `| \`${name}\` | \`${owner}\` | \`${cell(type)}\` | ${cell(doc)} |`,
);
const table = ["| Option | In | Type | Meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
writeFileSync(file, `${intro}<!-- prettier-ignore-start -->\n\n${table}\n\n<!-- prettier-ignore-end -->\n`);

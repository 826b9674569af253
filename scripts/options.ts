/**
 * `npm run options` writes docs/reference/options.md from the docblocks: every public option with its type, meaning and
 * default.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { publicOptions } from "./public-options.js";

const file = "docs/reference/options.md";
const [intro = ""] = readFileSync(file, "utf8").split("<!-- prettier-ignore-start -->");
const lines: string[] = [];
let letter = "";
for (const { name, owner, type, doc } of publicOptions()) {
  const first = name.charAt(0).toUpperCase();
  if (first !== letter) lines.push("", `## ${first}`, "");
  letter = first;
  lines.push(`- **\`${name}\`** in \`${owner}\`: \`${type}\``);
  if (doc !== "") lines.push(`  <br>${doc}`);
}
const list = lines.join("\n").trim();
writeFileSync(file, `${intro}<!-- prettier-ignore-start -->\n\n${list}\n\n<!-- prettier-ignore-end -->\n`);

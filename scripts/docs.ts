/**
 * `npm run docs` writes the API reference from the docblocks (docs/exports), then the site (temp/site). `npm run
 * docs:dev` (`--dev`) serves the site and reloads a page when it is saved. It does not write the reference again. The
 * site has the Markdown of its pages too, for the links of llms.txt.
 *
 * Warnings of TypeDoc, dead links, code that is too wide for a page, and files that a page would load from another host are errors.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { siteBase } from "../docs/.vitepress/base.js";
import { writtenPages } from "../docs/.vitepress/pages.js";
import { root } from "../docs/.vitepress/repository.js";
import { apiSections } from "../docs/.vitepress/sections.js";

import { wrongLinks } from "./docs-links.js";
import { writeReference } from "./docs-reference.js";
import { addLlmsText } from "./llms-text.js";
import { wideCode } from "./wide-code.js";

if (!(await writeReference(apiSections(process.cwd())))) process.exit(1);
if (process.argv.includes("--dev")) process.exit(vitepress("dev"));
if (vitepress("build") !== 0) process.exit(1);
const wide = ["index.md", ...writtenPages.map(({ path }) => path)].flatMap((page) =>
  wideCode(readFileSync(join(root, "docs", page), "utf8"), `docs/${page}`),
);
const wrong = [...wide, ...wrongLinks("temp/site", siteBase)];
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exit(1);
addLlmsText(root, "temp/site");

/** Runs the command, because the types of VitePress do not compile under our compiler options. */
function vitepress(task: "build" | "dev"): number {
  const { status } = spawnSync(process.execPath, ["node_modules/vitepress/bin/vitepress.js", task, "docs"], {
    stdio: "inherit",
  });
  return status ?? 1;
}

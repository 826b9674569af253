/**
 * `npm run docs`: the API reference from the docblocks (docs/reference), then the whole site (temp/site). `npm run docs:dev`,
 * which is `--dev`, serves the site instead and shows each page anew when it is saved; the reference stays what it was.
 *
 * What TypeDoc warns of (a link in a docblock that leads nowhere) fails, as does a dead link of a page, and whatever a page
 * would load from another host.
 */
import { spawnSync } from "node:child_process";
import { siteBase } from "../docs/.vitepress/base.js";
import { apiSections } from "../docs/.vitepress/sections.js";
import { wrongLinks } from "./docs-links.js";
import { writeReference } from "./docs-reference.js";

if (!(await writeReference(apiSections(process.cwd())))) process.exit(1);
if (process.argv.includes("--dev")) process.exit(vitepress("dev"));
if (vitepress("build") !== 0) process.exit(1);
const wrong = wrongLinks("temp/site", siteBase);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exit(1);

/** The command, as the types of the package do not compile under the flags of the project. */
function vitepress(task: "build" | "dev"): number {
  const { status } = spawnSync(process.execPath, ["node_modules/vitepress/bin/vitepress.js", task, "docs"], {
    stdio: "inherit",
  });
  return status ?? 1;
}

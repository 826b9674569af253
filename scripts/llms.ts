/**
 * `npm run llms` writes docs/llms.txt, the list of the pages for language models. `npm run docs` adds it to the site.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/.vitepress/repository.js";
import { llmsFile, llmsText } from "./llms-text.js";

writeFileSync(join(root, llmsFile), llmsText(root));

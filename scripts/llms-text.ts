import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pageGroups, writtenPages } from "../docs/.vitepress/pages.js";

/** Its path in the repository. */
export const llmsFile = "docs/llms.txt";

/**
 * The pages of the docs in the format of llmstxt.org: the groups and the order are those of the sidebar, and each link
 * is followed by what its page is about. The links lead to Markdown files beside this file.
 *
 * @param root the folder of the repository
 */
export function llmsText(root: string): string {
  const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly description: string;
  };
  const groups = pageGroups.map(({ text, pages }) => {
    const lines = pages.map(({ path, title, about }) => `- [${title}](${path}): ${about}`);
    return `## ${text}\n\n${lines.join("\n")}\n`;
  });
  return [`# millrace\n\n> ${description}\n`, ...groups].join("\n");
}

/** Copies the list and its pages into a built site. */
export function addLlmsText(root: string, site: string): void {
  for (const file of [llmsFile.replace("docs/", ""), ...writtenPages.map(({ path }) => path)]) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    copyFileSync(join(root, "docs", file), join(site, file));
  }
}

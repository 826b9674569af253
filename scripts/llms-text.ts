import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sidebarPages } from "../docs/.vitepress/sidebar.js";

/** Its path in the repository. */
export const llmsFile = "docs/llms.txt";

/**
 * The pages of the docs in the format of llmstxt.org: the groups and the order are those of the sidebar, and each link
 * is followed by the first sentence of its page. The links lead to Markdown files beside this file.
 *
 * @param root the folder of the repository
 */
export function llmsText(root: string): string {
  const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly description: string;
  };
  const groups = sidebarPages.map(([group, pages]) => {
    const lines = Object.entries(pages).map(([page, title]) => {
      const sentence = firstSentence(page, readFileSync(join(root, "docs", page), "utf8"));
      return `- [${title}](${page})${sentence === "" ? "" : `: ${sentence}`}`;
    });
    return `## ${group}\n\n${lines.join("\n")}\n`;
  });
  return [`# millrace\n\n> ${description}\n`, ...groups].join("\n");
}

/** Copies the list and its pages into a built site. */
export function addLlmsText(root: string, site: string): void {
  const pages = sidebarPages.flatMap(([, group]) => Object.keys(group));
  for (const file of [llmsFile.replace("docs/", ""), ...pages]) {
    mkdirSync(dirname(join(site, file)), { recursive: true });
    copyFileSync(join(root, "docs", file), join(site, file));
  }
}

/** The first sentence of a page, without the addresses of its links. A benchmark begins with the machine instead. */
function firstSentence(page: string, markdown: string): string {
  if (page.startsWith("internals/benchmarks/")) return "";
  const text = markdown.replaceAll(/^( *)(`{3,})[^]*?^\1\2 *$/gm, "");
  const paragraph = text.split(/\n{2,}/).find((block) => /^[^#|<\s]/.test(block)) ?? "";
  const plain = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return (/^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, ".");
}

import { join } from "node:path";
import { defineConfig, type MarkdownEnv, type MarkdownOptions } from "vitepress";
import { siteBase } from "./base.js";
import { markdownFor } from "./markdown.js";
import { repository, root } from "./repository.js";
import { apiFirst, sidebarFor } from "./sidebar.js";

const docs = join(root, "docs");

/** The pages are those of docs/, as they are read on GitHub too. `npm run docs` builds the site, from this and them. */
export default defineConfig({
  title: "millrace",
  description: "Structured output from language models, while it streams.",
  lang: "en-GB",
  base: siteBase,
  outDir: join(root, "temp/site"),
  cacheDir: join(root, "temp/site-cache"),
  srcExclude: ["api/**"],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, "$1index.md"),
  metaChunk: true,
  // Of a server that the reader has started.
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: `${siteBase}logo.svg`, type: "image/svg+xml" }]],
  markdown: markdownFor(docs, repository) as MarkdownOptions,
  // The index of the search is one file, and read when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Start", link: "/start" },
      { text: "Guides", link: "/guides/partial-output", activeMatch: "/guides/" },
      { text: "API", link: "/reference/", activeMatch: "/reference/" },
    ],
    sidebar: { "/": sidebarFor(root), "/reference/": apiFirst(sidebarFor(root)) },
    outline: [2, 3],
    search: { provider: "local", options: { _render: textForSearch } },
    externalLinkIcon: true,
    ...(repository !== undefined && {
      socialLinks: [{ icon: "github", link: repository }],
      editLink: {
        pattern: `${repository}/edit/main/docs/:path`,
        text: "Edit this page",
      },
    }),
  },
});

/** A page of the API is found by its names; "Parameters" and "Returns" below each of them are no places to go to. */
function textForSearch(text: string, env: MarkdownEnv, md: Renderer): string {
  return md.render(
    env.relativePath.startsWith("reference/") ? text.replaceAll(/^####+ .*$/gm, "") : text,
    env,
  );
}

interface Renderer {
  render(text: string, env: MarkdownEnv): string;
}

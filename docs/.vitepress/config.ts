import { join } from "node:path";
import { defineConfig, type MarkdownEnv, type MarkdownOptions } from "vitepress";
import { siteBase } from "./base.js";
import { aboutPage, cardOf } from "./cards.js";
import { markdownFor } from "./markdown.js";
import { repository, root } from "./repository.js";
import { searchOptions, searchText } from "./search.js";
import { apiSections } from "./sections.js";
import { apiFirst, sidebarFor } from "./sidebar.js";

const docs = join(root, "docs");
const sections = apiSections(root);
const description = "Show typed objects while the model is still writing.";

/** The configuration of the site, which `npm run docs` builds from the pages in docs/. GitHub shows the same pages. */
export default defineConfig({
  title: "millrace",
  description,
  transformPageData: ({ filePath, title }) => ({
    description: aboutPage(filePath, sections, description),
    title,
  }),
  transformHead: ({ pageData: { filePath, title, description: about } }) =>
    cardOf(filePath, title || "millrace", about),
  locales: {
    root: { label: "English", lang: "en-GB" },
    zh: { label: "简体中文", lang: "zh-CN", link: "/zh/learn/start", themeConfig: { logoLink: "/" } },
  },
  base: siteBase,
  outDir: join(root, "temp/site"),
  cacheDir: join(root, "temp/site-cache"),
  srcExclude: ["api/**"],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, "$1index.md"),
  metaChunk: true,
  // The address of a server that the reader starts.
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: `${siteBase}logo.svg`, type: "image/svg+xml" }]],
  markdown: markdownFor(docs, repository) as MarkdownOptions,
  // The search index is one file, loaded at the first search.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Start", link: "/learn/start" },
      { text: "Guides", link: "/learn/guides/partial-output", activeMatch: "/learn/guides/" },
      { text: "API", link: "/exports/", activeMatch: "/exports/" },
    ],
    sidebar: { "/": sidebarFor(root), "/exports/": apiFirst(sidebarFor(root)) },
    outline: [2, 3],
    // The menu of languages leads to the first page of a language: few pages are translated.
    i18nRouting: false,
    search: {
      provider: "local",
      options: { _render: renderForSearch, miniSearch: { searchOptions } },
    },
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

/** The HTML that is searched. */
function renderForSearch(text: string, env: MarkdownEnv, md: Renderer): string {
  return md.render(searchText(text, env.relativePath), env);
}

interface Renderer {
  render(text: string, env: MarkdownEnv): string;
}

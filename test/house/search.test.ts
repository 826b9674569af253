import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { searchOptions, searchText, searchWords } from "../../docs/.vitepress/search.js";

const docs = join(import.meta.dirname, "../../docs");
const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .map((page) => page.replaceAll("\\", "/"))
  .filter((page) => page.endsWith(".md") && !/^(?:api|exports|\.vitepress)\//.test(page));

/** The index of the site's search box: the same engine, fields and options, over the sections of each page. */
function createIndex(): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions,
  });
  for (const page of pages) index.addAll(sectionsOf(page, readFileSync(join(docs, page), "utf8")));
  return index;
}

interface Section {
  readonly id: string;
  readonly title: string;
  /** The headings above it. */
  readonly titles: string[];
  readonly text: string;
}

/** Cuts a page at its headings, as VitePress does. */
function sectionsOf(page: string, markdown: string): Section[] {
  const sections: Section[] = [];
  const above: string[] = [];
  // Fences stay in the text: a line of code that begins with "#" is not a heading there.
  const text = searchText(markdown, page).replaceAll(/^(`{3,})[^]*?^\1/gm, (fence) =>
    fence.replaceAll(/^#/gm, " "),
  );
  for (const [, marks = "", title = "", body = ""] of text.matchAll(
    /^(#{1,6}) (.*)\n([^]*?)(?=^#{1,6} |$(?![^]))/gm,
  )) {
    const level = marks.length - 1;
    above.length = Math.min(above.length, level);
    const anchor = level === 0 ? "" : `#${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
    sections.push({ id: page + anchor, title, titles: [...above], text: body });
    above[level] = title;
  }
  const seen = new Set<string>();
  return sections.filter(({ id }) => !seen.has(id) && seen.add(id));
}

describe("the search box", () => {
  const index = createIndex();
  const first = (query: string): string => String(index.search(query)[0]?.id);

  test.each([
    ["devtools", "reference/devtools.md"],
    ["debug panel", "reference/devtools.md"],
    ["exit codes", "reference/cli.md#exit-codes"],
    ["ndjson", "reference/cli.md#ndjson"],
    ["playground", "reference/playground.md"],
  ])("leads %s to %s", (query, page) => {
    expect(first(query)).toBe(page);
  });

  test.each([
    ["nextjs", "learn/recipes/next.md"],
    ["next.js app router", "learn/recipes/next.md"],
    ["cost", "learn/recipes/cost.md"],
    ["price", "learn/recipes/cost.md"],
    ["stop button", "learn/recipes/next.md#stop-button"],
    ["progress bar", "learn/recipes/progress.md"],
    ["nuxt", "learn/recipes/nuxt.md"],
    ["cloudflare", "learn/recipes/workers.md"],
  ])("leads %s to %s", (query, page) => {
    expect(first(query)).toBe(page);
  });

  test.each([
    ["MCP", "reference/mcp.md"],
    ["Bedrock", "reference/models.md"],
    ["Azure", "reference/azure.md"],
    ["Vertex", "reference/gemini.md"],
    ["Tailwind", "learn/recipes/index.md"],
  ])("leads %s to %s", (query, page) => {
    expect(first(query).replace(/#.*/, "")).toBe(page);
  });

  test("has words only for pages that exist", () => {
    expect(Object.keys(searchWords).filter((page) => !pages.includes(page))).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aboutPage, cardOf } from "../../docs/.vitepress/cards.js";
import { addressOf, isPage, linkTarget } from "../../docs/.vitepress/links.js";
import { repository, webAddress } from "../../docs/.vitepress/repository.js";
import { apiSections } from "../../docs/.vitepress/sections.js";
import { sidebarFor } from "../../docs/.vitepress/sidebar.js";
import { slugOf } from "../../docs/.vitepress/slug.js";
import { entryNames } from "../../scripts/entries.js";
import { packageLinks } from "../../scripts/package-links.js";
import { wideCode } from "../../scripts/wide-code.js";
import { headingsOf, linksOf } from "./site-links.js";

/** Checks that a build of the site makes only after a minute, or not at all. */

const root = join(import.meta.dirname, "../..");
const docs = join(root, "docs");
/** The pages that are not generated. */
const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => isPage(path) && !/(^|\/)(exports|\.vitepress|node_modules)\//.test(path));
const textOf = (page: string): string => readFileSync(join(docs, page), "utf8");
const sidebar = sidebarFor(root);
const inSidebar = sidebar.flatMap(({ items }) => items.map(({ link }) => link));

describe("the sidebar", () => {
  const written = inSidebar.filter((link) => !link.startsWith("/exports/"));

  test("has each page once", () => {
    const expected = pages.map(addressOf).filter((address) => address !== "/");
    expect([...written].sort()).toEqual(expected.sort());
  });

  test("has each page of the API", () => {
    const sections = apiSections(root).map(({ file }) => `/exports/${file}`);
    expect(inSidebar.filter((link) => link.startsWith("/exports/"))).toEqual(["/exports/", ...sections]);
  });

  test("has different names in each group", () => {
    for (const { items } of sidebar) {
      expect(new Set(items.map(({ text }) => text)).size).toBe(items.length);
    }
  });
});

describe("the API", () => {
  const sections = apiSections(root);

  test("has a section for each entry, and sections for everything in the root", () => {
    expect([...new Set(sections.map(({ entry }) => entry))]).toEqual(entryNames);
    const index = readFileSync(join(root, "src/index.ts"), "utf8");
    const statements = (text: string): number => text.match(/^export /gm)?.length ?? 0;
    const ofRoot = sections.filter(({ entry }) => entry === "millrace");
    expect(ofRoot.reduce((sum, { exports: text }) => sum + statements(text), 0)).toBe(statements(index));
  });

  test("reads existing modules", () => {
    for (const { exports: text } of sections) {
      for (const [, path = ""] of text.matchAll(/ from "\.\/(.*)"/g)) {
        expect(existsSync(join(root, path)), path).toBe(true);
      }
    }
  });
});

describe("links of a page work", () => {
  for (const page of pages) {
    test(page, () => {
      const dead = linksOf(textOf(page)).filter((href) => isDead(href, page));
      expect(dead).toEqual([]);
    });
  }

  test.each(["README.md", "README.zh-CN.md"])("%s", (file) => {
    const dead = linksOf(readFileSync(join(root, file), "utf8")).filter((href) => {
      const [path = "", fragment] = href.split("#");
      if (/^([a-z]+:|#)/.test(href)) return false;
      if (!existsSync(join(root, path))) return true;
      return fragment !== undefined && !slugsOf(readFileSync(join(root, path), "utf8")).includes(fragment);
    });
    expect(dead).toEqual([]);
  });
});

describe("code fits into its page", () => {
  test.each(["README.md", "README.zh-CN.md", ...pages.map((page) => `docs/${page}`)])("%s", (file) => {
    expect(wideCode(readFileSync(join(root, file), "utf8"), file)).toEqual([]);
  });

  test("only what a program writes may be wider, because it wraps", () => {
    const block = (info: string): string =>
      `Text.\n\n- item\n\n  \`\`\`${info}\n  a\n  ${"b".repeat(77)}\n  \`\`\`\n`;
    for (const info of ["text", "text prints", "console"]) expect(wideCode(block(info), "a.md")).toEqual([]);
    for (const info of ["ts", "ts no-run", "sh", "json", ""]) {
      expect(wideCode(block(info), "a.md")).toEqual([`a.md:7 is wider than 76 columns: ${"b".repeat(77)}`]);
    }
    expect(wideCode(block("ts").replace("b", ""), "a.md")).toEqual([]);
  });
});

describe("linkTarget()", () => {
  const target = (href: string, page = "learn/guides/list-items.md"): unknown => linkTarget(href, page, docs);

  test("returns a page for a Markdown file below docs/", () => {
    expect(target("../../reference/json.md#what-it-promises")).toEqual({
      kind: "page",
      path: "reference/json.md",
      hash: "#what-it-promises",
    });
    expect(target("../exports/json.md", "reference/json.md")).toMatchObject({
      kind: "page",
      path: "exports/json.md",
    });
  });

  test("returns a repository file for other files", () => {
    expect(target("../../../src/json/parser.ts#L3")).toEqual({
      kind: "repository",
      path: "src/json/parser.ts",
      hash: "#L3",
      folder: false,
    });
    expect(target("benchmarks/", "internals/performance.md")).toMatchObject({
      path: "docs/internals/benchmarks/",
      folder: true,
    });
    expect(target("../../api/millrace.api.md")).toMatchObject({ path: "docs/api/millrace.api.md" });
    expect(target("../../../README.md")).toMatchObject({ path: "README.md" });
    expect(target("repository:src/index.ts#L1")).toMatchObject({ path: "src/index.ts", hash: "#L1" });
  });

  test("returns dead for a missing file", () => {
    expect(target("nothing.md")).toEqual({ kind: "dead", path: "learn/guides/nothing.md" });
    expect(target("../../../src/nothing.ts")).toEqual({ kind: "dead", path: "src/nothing.ts" });
  });

  test("ignores other hosts, anchors and addresses of the site", () => {
    for (const href of ["https://example.org/a.md", "mailto:a@example.org", "#here", "/start"]) {
      expect(target(href)).toEqual({ kind: "other" });
    }
  });

  test("README.md is the page of its folder", () => {
    expect(addressOf("examples/ag-ui/README.md")).toBe("/examples/ag-ui/");
    expect(addressOf("index.md")).toBe("/");
    expect(addressOf("guides/lists.md")).toBe("/guides/lists");
  });
});

test("slugOf() returns the anchor that GitHub uses", () => {
  expect(slugOf("`node:http` and Express")).toBe("nodehttp-and-express");
  expect(slugOf("What it promises")).toBe("what-it-promises");
  expect(slugOf("Patches, append & Ärger – now!")).toBe("patches-append--ärger--now");
  expect(slugOf("snake_case and kebab-case")).toBe("snake_case-and-kebab-case");
});

test("webAddress() returns the repository's web address in package.json", () => {
  const url = "git+https://example.org/owner/name.git";
  expect(webAddress({ repository: { url } })).toBe("https://example.org/owner/name");
  expect(webAddress({ repository: "https://example.org/owner/name/" })).toBe(
    "https://example.org/owner/name",
  );
  for (const remote of ["git@example.org:owner/name.git", "ssh://git@example.org/owner/name.git"]) {
    expect(webAddress({ repository: remote })).toBe("https://example.org/owner/name");
  }
  expect(webAddress({})).toBeUndefined();
  if (repository !== undefined) expect(repository).toMatch(/^https:\/\/[^/]+\/[^/]+\/[^/]+$/);
});

test("packageLinks() returns what a release writes into package.json", () => {
  expect(packageLinks("git@example.org:owner/name.git\n", "")).toEqual({
    repository: { type: "git", url: "git+https://example.org/owner/name.git" },
    homepage: "https://example.org/owner/name#readme",
    bugs: { url: "https://example.org/owner/name/issues" },
  });
  expect(packageLinks("https://example.org/owner/name.git", "templates")).toMatchObject({
    repository: { directory: "templates" },
    homepage: "https://example.org/owner/name/tree/main/templates#readme",
  });
  expect(() => packageLinks("/home/me/name", "")).toThrow("/home/me/name");
});

test("each page has a card with what it is about", () => {
  const sections = apiSections(root);
  const about = (page: string): string => aboutPage(page, sections, "The whole.");
  expect(about("learn/start.md")).toMatch(/^Build a page /);
  expect(about("exports/millrace-mcp.md")).toMatch(/^The API of millrace\/mcp: tools /);
  expect(about("index.md")).toBe("The whole.");
  const card = cardOf("learn/start.md", "Quickstart", "A page.").map(([, { property, content }]) => [
    property,
    content,
  ]);
  expect(card).toContainEqual(["og:title", "Quickstart"]);
  expect(card).toContainEqual(["og:description", "A page."]);
  expect(card).toContainEqual(["og:url", "/learn/start.html"]);
  expect(card).toContainEqual(["og:image", "/card.png"]);
  expect(existsSync(join(docs, "public/card.png"))).toBe(true);
});

test.each([
  ["README.zh-CN.md", "README.md"],
  ["docs/zh/learn/start.md", "docs/learn/start.md"],
])("%s has the code and the headings of %s", (translation, page) => {
  const partsOf = (file: string): unknown => {
    const text = readFileSync(join(root, file), "utf8");
    return [text.match(/^(`{3,})[^]*?^\1$/gm), headingsOf(text).length];
  };
  expect(partsOf(translation)).toEqual(partsOf(page));
});

test("the site and the playground have the same logo", () => {
  const logo = readFileSync(join(docs, "public/logo.svg"), "utf8");
  expect(readFileSync(join(root, "playground/src/page/icon.svg"), "utf8")).toBe(logo);
});

/** Anchors of generated pages are not checked, because those pages may be missing here. */
function isDead(href: string, page: string): boolean {
  if (href.startsWith("#")) return !slugsOf(textOf(page)).includes(href.slice(1));
  const target = linkTarget(href, page, docs);
  if (target.kind === "dead") return true;
  if (target.kind !== "page" || target.hash === "" || target.path.startsWith("exports/")) return false;
  return !slugsOf(textOf(target.path)).includes(target.hash.slice(1));
}

/** A repeated heading gets a number. */
function slugsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  return headingsOf(markdown).map((heading) => {
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

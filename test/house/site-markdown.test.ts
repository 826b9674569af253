import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { markdownFor, type SiteMarkdown } from "../../docs/.vitepress/markdown.js";

const docs = join(import.meta.dirname, "../../docs");
const repository = "https://example.org/owner/name";

/** What is used of VitePress, whose own types do not compile under the flags of the project. */
interface VitePress {
  readonly createMarkdownRenderer: (folder: string, options: SiteMarkdown) => Promise<MarkdownRenderer>;
  readonly disposeMdItInstance: () => void;
}

interface MarkdownRenderer {
  render(text: string, env: MarkdownEnv): string;
}

interface MarkdownEnv {
  readonly path: string;
  readonly relativePath: string;
  readonly cleanUrls: boolean;
  readonly links?: readonly string[];
}

const name: string = "vitepress";
const { createMarkdownRenderer, disposeMdItInstance } = (await import(name)) as VitePress;

describe("a page on the site", () => {
  let known: MarkdownRenderer;
  let unknown: MarkdownRenderer;
  beforeAll(async () => {
    unknown = await createMarkdownRenderer(docs, markdownFor(docs, undefined));
    // VitePress keeps the one that it has made.
    disposeMdItInstance();
    known = await createMarkdownRenderer(docs, markdownFor(docs, repository));
  });
  afterAll(disposeMdItInstance);

  const render = (text: string, md = known): { html: string; links: readonly string[] } => {
    const env: MarkdownEnv = {
      path: join(docs, "json.md"),
      relativePath: "guides/lists.md",
      cleanUrls: false,
    };
    const html = md.render(text, env);
    return { html, links: env.links ?? [] };
  };

  test("links to pages of the site", () => {
    const { html } = render("[a](../json.md#what-it-promises)");
    expect(html).toContain('href="/json.html#what-it-promises"');
  });

  test("links to the repository for all else", () => {
    expect(render("[a](../../src/index.ts)").html).toContain(`href="${repository}/blob/main/src/index.ts"`);
    expect(render("[a](../benchmarks)").html).toContain(`href="${repository}/tree/main/docs/benchmarks"`);
  });

  test("names what is in the repository, as long as nobody knows where that is", () => {
    const { html } = render("[the `index`](../../src/index.ts), [b](../json.md)", unknown);
    expect(html).toContain(
      '<span class="in-repository" title="src/index.ts in the repository">the <code>index</code></span>',
    );
    expect(html).toContain('<a href="/json.html">b</a>');
  });

  test("tells VitePress of a link that leads nowhere", () => {
    expect(render("[a](nothing.md) [b](../../src/nothing.ts)").links).toEqual([
      "/src/nothing.ts.md",
      "./nothing",
    ]);
  });

  test("has the fragments of GitHub", () => {
    expect(render("## `node:http` and Express").html).toContain('id="nodehttp-and-express"');
    expect(render("## A\n\n## A").html).toContain('id="a-1"');
  });

  test("takes the anchors of TypeDoc for its headings, and gives the others one of their own", () => {
    const { html } = render(
      '<a id="x"></a>\n\n### x()\n\n#### Returns\n\n<a id="x-3"></a>\n\n### X\n\n#### Returns\n\n#### Returns',
    );
    expect([...html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      "x",
      "returns-of-x",
      "x-3",
      "returns-of-x-3",
      "returns-of-x-3-1",
    ]);
  });

  test("shows what a block prints as a part of it", () => {
    const { html } = render("```ts no-run\nlet a: 1;\n```\n\n```text prints\n1\n```\n\n```text\n2\n```");
    expect(html.match(/class="language-(\w+( prints)?)/g)).toEqual([
      'class="language-ts',
      'class="language-text prints',
      'class="language-text',
    ]);
    expect(html.match(/<span class="lang">\w+/g)?.map((span) => span.slice(19))).toEqual([
      "ts",
      "prints",
      "text",
    ]);
  });

  test("has braces, and no expressions of Vue", () => {
    const { html } = render("`{{ 1 + 1 }}` and {{ 2 }}");
    expect(html).not.toContain("{{");
    expect(html.replaceAll("&#123;", "{")).toContain("<code>{{ 1 + 1 }}</code> and {{ 2 }}");
  });
});

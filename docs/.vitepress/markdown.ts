import { addressOf, isPage, linkTarget } from "./links.js";
import { slugOf } from "./slug.js";

/** The used parts of VitePress and markdown-it: their own types do not compile under the project's flags. */
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: State) => void): void;
      before(other: string, name: string, rule: (state: State) => void): void;
    };
  };
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
}

interface State {
  tokens: Token[];
  readonly env: unknown;
}

interface Token {
  type: string;
  content: string;
  readonly info: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

type Rule = (tokens: Token[], index: number, ...rest: unknown[]) => string;

/** The page that is being rendered. */
interface MarkdownEnv {
  readonly relativePath: string;
  links?: string[];
}

/** Options for `markdown` in the config of VitePress. */
export interface SiteMarkdown {
  readonly anchor: { readonly slugify: (heading: string) => string };
  readonly attrs: { readonly disable: true };
  readonly config: (md: MarkdownIt) => void;
}

/** Adapts pages written for GitHub to the site. */
export function markdownFor(docs: string, repository: string | undefined): SiteMarkdown {
  return {
    anchor: { slugify: slugOf },
    attrs: { disable: true },
    config: (md) => {
      md.core.ruler.push("relative-links", ({ tokens, env }) => {
        for (const { children } of tokens) {
          if (children !== null) rewriteLinks(children, env as MarkdownEnv, docs, repository);
        }
      });
      md.core.ruler.before("anchor", "given-anchors", (state) => {
        state.tokens = withGivenAnchors(state.tokens);
      });
      labelPrints(md);
      escapeBraces(md);
    },
  };
}

/** Without the address of the repository, files that are only there are named but not linked. */
function rewriteLinks(
  tokens: readonly Token[],
  env: MarkdownEnv,
  docs: string,
  repository: string | undefined,
): void {
  let unlinked = false;
  for (const token of tokens) {
    if (token.type === "link_close" && unlinked) {
      unlinked = false;
      token.type = "html_inline";
      token.content = "</span>";
    }
    if (token.type !== "link_open") continue;
    const target = linkTarget(String(token.attrGet("href")), env.relativePath, docs);
    if (target.kind === "page") {
      token.attrSet("href", addressOf(target.path) + target.hash);
    } else if (target.kind === "dead" && !isPage(target.path)) {
      // VitePress checks the links in this list, reports all missing ones, and fails.
      (env.links ??= []).push(`/${target.path}.md`);
    } else if (target.kind === "repository" && repository !== undefined) {
      const { path, hash, folder } = target;
      token.attrSet("href", `${repository}/${folder ? "tree" : "blob"}/main/${path}${hash}`);
    } else if (target.kind === "repository") {
      unlinked = true;
      token.type = "html_inline";
      token.content = `<span class="in-repository" title="${target.path} in the repository">`;
    }
  }
}

/**
 * TypeDoc numbers repeated names differently from headings: `toolMessage()` and `ToolMessage`. It therefore writes its
 * own anchor above each heading of a name, and that anchor becomes the id of the heading. Other headings of such a
 * page, such as "Parameters", get an id that no name can have.
 */
function withGivenAnchors(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  const times = new Map<string, number>();
  let name: string | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const [open, inline, close] = kept.slice(-3);
      const given = /^<a id="([^"]+)"><\/a>$/.exec(inline?.content ?? "")?.[1];
      if (open?.type === "paragraph_open" && close?.type === "paragraph_close" && given !== undefined) {
        kept.length -= 3;
        name = given;
        token.attrSet("id", given);
      } else if (name !== undefined) {
        const id = `${slugOf(tokens[index + 1]?.content ?? "")}-of-${name}`;
        const before = times.get(id) ?? 0;
        times.set(id, before + 1);
        token.attrSet("id", before === 0 ? id : `${id}-${before}`);
      }
    }
    kept.push(token);
  }
  return kept;
}

/**
 * A "text prints" block is the output of the block before it. The site joins the two and labels the output. A block of
 * "text" or "console" is what a program writes: its long lines wrap, as on a terminal. So do the generated declarations
 * of the API.
 */
function labelPrints(md: MarkdownIt): void {
  const fence = md.renderer.rules["fence"] as Rule;
  md.renderer.rules["fence"] = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest);
    const [language = "", mark] = tokens[index]?.info.split(" ") ?? [];
    const generated = (rest[1] as MarkdownEnv).relativePath.startsWith("exports/");
    if (language !== "text" && language !== "console" && !generated) return html;
    const wrapped = html.replace('class="language-', 'class="wraps language-');
    if (mark !== "prints") return wrapped;
    return wrapped
      .replace('class="wraps', 'class="wraps prints')
      .replace('<span class="lang">text</span>', '<span class="lang">prints</span>');
  };
}

/** Shows two braces as text. Vue would read them as an expression. */
function escapeBraces(md: MarkdownIt): void {
  for (const rule of ["text", "code_inline"] as const) {
    const render = md.renderer.rules[rule] as Rule;
    md.renderer.rules[rule] = (...all) => render(...all).replaceAll("{{", "&#123;&#123;");
  }
}

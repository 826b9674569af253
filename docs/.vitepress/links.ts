import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";

/** The target of a relative link on the site. */
export type LinkTarget =
  /** A page, with its fragment. */
  | { readonly kind: "page"; readonly path: string; readonly hash: string }
  /** A source, a folder or an API report, which the site does not contain. The path is relative to the repository. */
  | { readonly kind: "repository"; readonly path: string; readonly hash: string; readonly folder: boolean }
  /** A file that does not exist. */
  | { readonly kind: "dead"; readonly path: string }
  /** Not a relative link. */
  | { readonly kind: "other" };

/** The URL scheme that TypeDoc uses for the positions of declarations, which have no page. */
export const repositoryScheme = "repository:";

/**
 * Resolves a link. Pages are written for GitHub, with relative links. On the site, a Markdown file below docs/ is a
 * page, except the API reports. All other files are in the repository. VitePress checks links to the pages of the API,
 * because those exist only after they are generated.
 *
 * @param href as written in the page
 * @param page its path from docs/, with `/`
 * @param docs the folder of the pages
 */
export function linkTarget(href: string, page: string, docs: string): LinkTarget {
  if (href.startsWith(repositoryScheme)) return inRepository(href.slice(repositoryScheme.length), docs);
  if (/^([a-z][a-z+.-]*:|\/|#)/i.test(href)) return { kind: "other" };
  const [, written = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(href) as RegExpExecArray;
  const path = posix.join(posix.dirname(page), decodeURIComponent(written));
  if (isPage(path)) {
    if (!path.startsWith("exports/") && !existsSync(posix.join(docs, path))) return { kind: "dead", path };
    return { kind: "page", path, hash };
  }
  return inRepository(posix.join("docs", path) + hash, docs);
}

/** Whether a path from docs/ is a page of the site. */
export function isPage(path: string): boolean {
  return path.endsWith(".md") && !path.startsWith("../") && !path.startsWith("api/");
}

/** The address of a page on the site: `README.md` is the page of its folder, as on GitHub. */
export function addressOf(page: string): string {
  return `/${page.replace(/\.md$/, "").replace(/(^|\/)(README|index)$/, "$1")}`;
}

function inRepository(target: string, docs: string): LinkTarget {
  const [path = "", fragment] = target.split("#");
  const file = posix.join(docs, "..", path);
  if (!existsSync(file)) return { kind: "dead", path };
  const hash = fragment === undefined ? "" : `#${fragment}`;
  return { kind: "repository", path, hash, folder: statSync(file).isDirectory() };
}

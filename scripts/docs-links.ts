import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * Checks a built site and returns a line for each problem: a link to a heading that does not exist, which VitePress
 * does not check, or a file that a page would load from another host.
 *
 * @param base the path of the site on its host, with `/` around it
 */
export function wrongLinks(folder: string, base: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const pages = new Map<string, Page>();
  const wrong: string[] = [];
  for (const file of files.filter((name) => /\.(html|css)$/.test(name))) {
    const text = readFileSync(join(folder, file), "utf8");
    wrong.push(...foreign(text).map((url) => `${file} loads ${url}`));
    if (file.endsWith(".html")) pages.set(file, { ids: valuesOf(text, "id"), links: linksOf(text) });
  }
  for (const [file, { links }] of pages) {
    for (const link of links) {
      const [path = "", fragment = ""] = decodeURIComponent(link).split("#");
      const there = path === "" ? file : fileOf(path, file, base);
      const page = pages.get(there);
      if (page === undefined ? !files.includes(there) : fragment !== "" && !page.ids.includes(fragment)) {
        wrong.push(`${file} links to ${link}`);
      }
    }
  }
  return wrong;
}

interface Page {
  readonly ids: readonly string[];
  readonly links: readonly string[];
}

/** Addresses on other hosts that the browser would load. Links of `<a>` are not loaded. */
function foreign(text: string): string[] {
  const loaded = /(?:\bsrc="|<link[^>]*\bhref="|url\(["']?|@import ["'])((?:https?:)?\/\/[^"')]+)/g;
  return [...text.matchAll(loaded)].map(([, url = ""]) => url);
}

function linksOf(html: string): string[] {
  return (html.match(/<a\s[^>]*>/g) ?? [])
    .flatMap((tag) => valuesOf(tag, "href"))
    .filter((href) => !/^[a-z][a-z+.-]*:/i.test(href));
}

function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
}

function fileOf(path: string, from: string, base: string): string {
  if (path.startsWith("/") && !path.startsWith(base)) return path; // on the host, but outside the site
  const file = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(from), path);
  return file === "" || file.endsWith("/") ? `${file}index.html` : file;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { compile } from "svelte/compiler";

const root = join(import.meta.dirname, "../../../..");

/**
 * Inserts the examples of docs/reference/client.md for a store in a framework into a page: `docs:svelte` is its compiled component;
 * `docs:vue` and `docs:solid-js` are the blocks that import those packages.
 */
export const documented: Plugin = {
  name: "documented",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^docs:/ }, ({ path }) => ({ path: path.slice(5), namespace: "docs" }));
    bundler.onLoad({ filter: /./, namespace: "docs" }, ({ path }) => ({
      contents: codeFor(path),
      loader: "ts",
      resolveDir: root,
    }));
  },
};

function codeFor(framework: string): string {
  const blocks = readFileSync(join(root, "docs/reference/client.md"), "utf8").matchAll(
    /^```(\w+).*\n([^]*?)^```$/gm,
  );
  for (const [, language, code = ""] of blocks) {
    if (language === framework && code.includes("$store"))
      return compile(code, { filename: "Recipe.svelte" }).js.code;
    if (language === "ts" && code.includes(` from "${framework}"`)) return code;
  }
  throw new Error(`docs/reference/client.md shows nothing for ${framework}.`);
}

/**
 * Inserts the first block of TSX of a page of the docs as `docs:NAME`.
 *
 * @param packages the packages to import instead of those that the block names
 */
export function documentedPage(
  name: string,
  page: string,
  packages: Readonly<Record<string, string>> = {},
): Plugin {
  const code = /^```tsx.*\n([^]*?)^```$/m.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? "";
  const contents = code.replaceAll(/(?<= from ")[^"]+(?=";)/g, (it) => packages[it] ?? it);
  return {
    name: "page",
    setup: (bundler) => {
      bundler.onResolve({ filter: new RegExp(`^docs:${name}$`) }, () => ({ path: name, namespace: "page" }));
      bundler.onLoad({ filter: /./, namespace: "page" }, () => ({
        contents,
        loader: "tsx",
        resolveDir: root,
      }));
    },
  };
}

import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Platform, type Plugin } from "esbuild";
import { entryNames } from "./entries.js";

/** An import whose size docs/internals/sizes.md shows. */
export interface Measured {
  /** The first cell of the table, in Markdown. */
  readonly what: string;
  /** The code of an application. */
  readonly code: string;
}

/** In bytes. */
export interface Size {
  readonly what: string;
  readonly minified: number;
  readonly gzipped: number;
}

const root = join(import.meta.dirname, "..");

/** First what people import of an entry, because a bundler leaves out the rest, then each entry as a whole. */
export const measured: readonly Measured[] = [
  ...[
    "map, pipe",
    "textParser",
    "numberedListParser",
    "xmlParser",
    "jsonParser, pipe",
    "streamText",
    "streamObject",
    "createAgent, tool",
  ].map((names) => named(names, "millrace")),
  ...["JsonParser", "fast, JsonParser", "extract, fast, JsonParser, repair", "json"].map((names) =>
    named(names, "millrace/json"),
  ),
  {
    what: "`{ fast, JsonParser }` and `{ zod }` of `millrace/schema`",
    code: 'export { fast, JsonParser } from "millrace/json"; export { zod } from "millrace/schema";',
  },
  ...entryNames.map((entry) => ({ what: `\`${entry}\``, code: `export * from "${entry}";` })),
];

/** Names that are imported from an entry. */
export function named(names: string, entry: string): Measured {
  const from = entry === "millrace" ? "" : ` of \`${entry}\``;
  return { what: `\`{ ${names} }\`${from}`, code: `export { ${names} } from "${entry}";` };
}

/**
 * Bundles each code as an application would: of the built package, minified, tree-shaken, with the third-party code that
 * it uses. One call for all of them reads each module once.
 */
export async function measure(all: readonly Measured[], platform: Platform = "browser"): Promise<Size[]> {
  const { outputFiles } = await build({
    entryPoints: all.map((_, index) => ({ in: `measured:${index}`, out: String(index) })),
    outdir: "out",
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    target: "es2022",
    tsconfigRaw: "{}", // its paths lead to the sources
    write: false,
    external: ["react", "vue", "svelte", "svelte/*", "solid-js", "zod", "zod/*", "@reactivex/*", "node:*"],
    plugins: [entriesOf(all), ignoreDynamicImports],
    logLevel: "silent",
  });
  const contentsOf = new Map(outputFiles.map(({ path, contents }) => [basename(path, ".js"), contents]));
  return all.map(({ what }, index) => {
    const contents = contentsOf.get(String(index)) as Uint8Array;
    return { what, minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
  });
}

function entriesOf(all: readonly Measured[]): Plugin {
  return {
    name: "entries of measured code",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^measured:/ }, ({ path }) => ({
        path: path.slice("measured:".length),
        namespace: "measured",
      }));
      bundler.onLoad({ filter: /^/, namespace: "measured" }, ({ path }) => ({
        contents: all[Number(path)]?.code ?? "",
        loader: "ts",
        resolveDir: root,
      }));
    },
  };
}

/** Code behind a dynamic import does not count, such as the providers of `initModel()`. */
const ignoreDynamicImports: Plugin = {
  name: "ignore dynamic imports",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[.]/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

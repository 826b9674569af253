import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Platform, type Plugin } from "esbuild";
import { entryNames } from "./entries.js";

/** What the README says the size of. */
export interface Measured {
  /** As the README has it, in Markdown. */
  readonly what: string;
  /** What an application would write. */
  readonly code: string;
  /** Where it runs; `browser` by default. */
  readonly platform?: Platform;
}

/** In bytes. */
export interface Size {
  readonly what: string;
  readonly minified: number;
  readonly gzipped: number;
}

const root = join(import.meta.dirname, "..");

/** Parts of the root first, as nobody takes all of it; then each entry whole. */
export const measured: readonly Measured[] = [
  { what: "`{ map, pipe }`", code: 'export { map, pipe } from "millrace";' },
  { what: "`{ JsonParser }`", code: 'export { JsonParser } from "millrace";' },
  { what: "`{ jsonParser, pipe }`", code: 'export { jsonParser, pipe } from "millrace";' },
  { what: "`{ createAgent, tool }`", code: 'export { createAgent, tool } from "millrace";' },
  ...entryNames.map((entry) => ({ what: `\`${entry}\``, code: `export * from "${entry}";` })),
];

/** As an application's bundler does it: minified, with the third-party code that is used, and without what is not. */
export async function measure({ what, code, platform = "browser" }: Measured): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    target: "es2022",
    write: false,
    external: ["react", "zod", "zod/*", "@reactivex/*", "node:*"],
    plugins: [leaveOutWhatIsAskedFor],
    logLevel: "silent",
    // Without the paths of tsconfig.json, the names of the package lead to dist.
    ...(process.env["MILLRACE_DIST"] === "1" && { tsconfigRaw: {} }),
  });
  const { contents } = outputFiles[0] as { readonly contents: Uint8Array };
  return { what, minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}

/** What is only loaded when it is asked for, as the providers of `initModel()`, does not count. */
const leaveOutWhatIsAskedFor: Plugin = {
  name: "leave out what is asked for",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[.]/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

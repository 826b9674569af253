import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

/** Below `temp/engines`, where `npm run prove:durable restate` installs packages. */
const folder = join(import.meta.dirname, `../../temp/engines/programs-${process.pid}`);
/** The bundles of this process, by the files of their programs. */
const bundles = new Map<string, string>();

/** Packages that look for others, which may be missing, are not part of a bundle. */
const external = ["@copilotkit/*", "@dbos-inc/*", "@restatedev/*", "pg"];
/** Packages of the older kind call it. */
const requireOfModule =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * Bundles the programs that tests start as processes, because Node starts a bundle in a tenth of the time of the
 * sources. Returns the path of each bundle, in the order of the files. The names of millrace lead to the sources.
 * Packages are bundled too: Redis and Zod would take a third of the start.
 */
export function bundledPrograms(...files: readonly string[]): string[] {
  if (bundles.size === 0)
    process.once("exit", () => {
      rmSync(folder, { recursive: true, force: true });
    });
  const missing = files.filter((file) => !bundles.has(file));
  if (missing.length > 0) build(missing);
  for (const file of missing) bundles.set(file, join(folder, `${basename(file, ".ts")}.mjs`));
  return files.map((file) => bundles.get(file) ?? "");
}

function build(files: string[]): void {
  buildSync({
    entryPoints: files,
    outdir: folder,
    outbase: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    // `#src` always leads to the sources.
    alias: { "#src": join(import.meta.dirname, "../../src") },
    external,
    banner: { js: requireOfModule },
    logLevel: "warning",
  });
}

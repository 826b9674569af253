import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

/** Below `temp/engines`, where `npm run prove:durable restate` installs packages. */
const folder = join(import.meta.dirname, `../../temp/engines/programs-${process.pid}`);
let cleaning = false;

/**
 * Bundles the programs that tests start as processes, because Node starts a bundle in a tenth of the time of the
 * sources. Returns the path of each bundle, in the order of the files. The names of millrace lead to the sources, or to dist if
 * the suite tests that.
 */
export function bundledPrograms(...files: readonly string[]): string[] {
  if (!cleaning)
    process.once("exit", () => {
      rmSync(folder, { recursive: true, force: true });
    });
  cleaning = true;
  buildSync({
    entryPoints: [...files],
    outdir: folder,
    outbase: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // `#src` always leads to the sources.
    alias: { "#src": join(import.meta.dirname, "../../src") },
    ...(process.env["MILLRACE_DIST"] === "1" && { tsconfigRaw: {} }),
    logLevel: "warning",
  });
  return files.map((file) => join(folder, `${basename(file, ".ts")}.mjs`));
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";

const root = join(import.meta.dirname, "../../../..");

/**
 * Bundles a program of the tests into one module. The package's names resolve to the sources.
 *
 * @param program its path below `test`
 */
export async function bundle(program: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test", program)],
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    tsconfigRaw: readFileSync(join(root, "tsconfig.json"), "utf8"),
    logLevel: "silent",
    ...options,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

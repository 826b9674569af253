import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "../../..");

/**
 * A document that runs a program of `test/browser/pages`: one module with all that it imports, where the package's names
 * lead to the sources, or to the dist where the suite runs on that.
 */
export async function documentOf(program: string, plugins: Plugin[] = []): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/browser/pages", program)],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    charset: "utf8",
    define: { "process.env.NODE_ENV": '"production"' },
    tsconfigRaw:
      process.env["MILLRACE_DIST"] === "1" ? {} : readFileSync(join(root, "tsconfig.json"), "utf8"),
    plugins,
    logLevel: "silent",
  });
  const script = (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
  return `<!doctype html><meta charset="utf-8"><title>millrace</title><link rel="icon" href="data:,"><main></main><script type="module">${script}</script>`;
}

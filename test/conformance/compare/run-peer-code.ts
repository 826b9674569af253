import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../../..");

/**
 * Runs the ```typescript blocks of a page, the code of other libraries, in order and each in its own process. A block
 * that exports `mock` is the module `./mock.js` of the others.
 *
 * @param alias the names under which packages are installed here, by those that the page imports
 * @returns the output of each, in lines
 */
export async function runPeerCode(
  page: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string[][]> {
  const blocks = [...page.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  mkdirSync(join(root, "temp"), { recursive: true });
  const folder = mkdtempSync(join(root, "temp/peer-code-"));
  try {
    const names = blocks.map((code, index) =>
      code.includes("export function mock") ? "mock" : `block-${index}`,
    );
    for (const [index, name] of names.entries())
      writeFileSync(join(folder, `${name}.ts`), blocks[index] as string);
    const imports = names.map((name) => `console.log("${marker}");\nawait import("./${name}.js");`);
    writeFileSync(join(folder, "all.ts"), imports.join("\n"));
    await build({
      entryPoints: [join(folder, "all.ts")],
      outdir: join(folder, "out"),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      alias,
      logLevel: "silent",
      tsconfigRaw: readFileSync(join(root, "tsconfig.json"), "utf8"),
    });
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "out/all.js")], {
      cwd: root,
    });
    return stdout
      .split(`${marker}\n`)
      .slice(1)
      .map((text) => text.trimEnd().split("\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const marker = "=== next block ===";

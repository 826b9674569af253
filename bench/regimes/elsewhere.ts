/** The steady loop in Bun, Deno and Chromium, each only if it is installed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromiumArgs, chromiumPath } from "../../test/behaviour/browser/support/find-chromium.js";
import { cuts } from "../chunks.js";
import { counted, type Figure, ratio } from "../figures.js";
import { documentOf } from "../json/documents.js";

/** Milliseconds to warm up. Twice as long is measured. */
const time = 700;

/** Runs a script that defines `measure()`, and returns what it measures. */
type RunElsewhere = (script: string, chunks: readonly string[]) => Promise<number>;

const places: Readonly<Record<string, { readonly command: string | undefined; readonly run: RunElsewhere }>> =
  {
    Bun: installed("bun", []),
    Deno: installed("deno", ["run"]),
    Chromium: { command: chromiumPath, run: inChromium },
  };

const isThere = (name: string): boolean => existsSync(places[name]?.command ?? "");

export const elsewhere: readonly string[] = Object.keys(places).filter(isThere);
export const missingPlaces: readonly string[] = Object.keys(places).filter((name) => !isThere(name));

/** 64 KB of orders, again and again: how many times as fast as jsonriver. */
export function speedupIn(name: string): Figure {
  const count = async (): Promise<number> => {
    const { build } = await import("esbuild");
    const entryPoints = ["bench/regimes/elsewhere-program.ts"];
    const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false });
    const chunks = cuts["1-8"](await documentOf("orders", 64));
    return (places[name] as (typeof places)[string]).run(outputFiles[0]?.text ?? "", chunks);
  };
  return counted(`64 KB of orders in ${name}`, count, ratio);
}

function installed(name: string, flags: readonly string[]): { command: string; run: RunElsewhere } {
  const command = `node_modules/.bin/${name}`;
  const run: RunElsewhere = async (script, chunks) => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-bench-"));
    try {
      const file = join(folder, "program.mjs");
      const call = `measure(${JSON.stringify(chunks)}, ${time})`;
      await writeFile(file, `${script}\nconsole.log(await ${call});\n`);
      return Number((await promisify(execFile)(command, [...flags, file])).stdout);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  return { command, run };
}

async function inChromium(script: string, chunks: readonly string[]): Promise<number> {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: chromiumPath as string, args: chromiumArgs });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ type: "module", content: script });
    return await page.evaluate(`measure(${JSON.stringify(chunks)}, ${time})`);
  } finally {
    await browser.close();
  }
}

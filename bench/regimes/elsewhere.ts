/** The steady loop in Bun, Deno and Chromium, each only if it is installed. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromiumArgs, chromiumPath } from "../../scripts/find-chromium.js";
import { counted, type Figure, ratio } from "../harness/figures.js";
import { cuts, inputs } from "../inputs.js";

interface Place {
  readonly command: string;
  /** Runs a script that defines `measure()`, and returns the result of the call. */
  run(script: string, call: string): Promise<number>;
}

const places: Readonly<Record<string, Place>> = {
  Bun: commandPlace("node_modules/.bin/bun"),
  Deno: commandPlace("node_modules/.bin/deno"),
  Chromium: { command: chromiumPath ?? "", run: inChromium },
};

export const missing = Object.keys(places).filter((name) => !existsSync((places[name] as Place).command));
export const installed = Object.keys(places).filter((name) => !missing.includes(name));

/** 64 KB of orders, again and again: how many times as fast as jsonriver. */
export function speedupIn(name: string): Figure {
  const count = async (): Promise<number> => {
    const { build } = await import("esbuild");
    const entryPoints = ["bench/regimes/elsewhere-program.ts"];
    const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false });
    const chunks = cuts["1-8"](inputs.orders(64 * 1024));
    const call = `measure(${JSON.stringify(chunks)}, 700)`; // ms to warm up; twice as long is measured
    return (places[name] as Place).run(outputFiles[0]?.text ?? "", call);
  };
  return counted(`64 KB of orders in ${name}`, count, ratio);
}

/** Both runtimes read a program from their standard input. */
function commandPlace(command: string): Place {
  return {
    command,
    run: async (script, call) => {
      const input = `${script}\nconsole.log(await ${call});\n`;
      return Number(execFileSync(command, ["run", "-"], { input, encoding: "utf8" })); // throws if the process fails
    },
  };
}

async function inChromium(script: string, call: string): Promise<number> {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: chromiumPath as string, args: chromiumArgs });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ type: "module", content: script });
    return await page.evaluate(call);
  } finally {
    await browser.close();
  }
}

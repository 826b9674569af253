import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../find-chromium.js";
import { withoutTypes } from "./programs.js";
import { Skipped } from "./report.js";
import { expectSame } from "./run.js";

/** Bundles the installed client and lets a browser read a run that the package serves. */
export async function checkPage(project: string): Promise<void> {
  if (chromiumPath === undefined) throw new Skipped(noChromium);

  await build({
    stdin: { contents: withoutTypes("page.ts"), resolveDir: project },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    outfile: join(project, "page.js"),
    logLevel: "silent",
  });
  writeFileSync(join(project, "page-server.mjs"), withoutTypes("page-server.ts"));
  const server = spawn(process.execPath, ["page-server.mjs"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const [port] = (await once(createInterface(server.stdout), "line")) as [string];
    const page = await browser.newPage();
    const failures: Error[] = [];
    page.on("pageerror", (error) => failures.push(error));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => document.title !== "", undefined, { timeout: 10_000 }).catch(() => {});
    for (const failure of failures) throw failure;
    const value = { tea: "grün ☕", steps: ["Warm the pot", "Pour"] };
    expectSame(await page.title(), JSON.stringify({ value, status: "done", changes: true }));
  } finally {
    await browser.close();
    server.kill();
  }
}

/**
 * `npm run check:starters [-- [TARBALL] [--only NAME]]`: creates each template of `npm create millrace` in an empty
 * folder, installs it from the registry with the newest versions of its packages, builds it, and uses it in Chromium.
 * Without a tarball it packs the current dist. CI runs it every week.
 *
 * The last line is `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pack } from "./runtimes/projects.js";
import { Report } from "./runtimes/report.js";
import { scriptArguments } from "./script-arguments.js";
import { createStarter, newest, starterNames } from "./starters/create.js";
import { checkStarterPage } from "./starters/page.js";
import { print } from "./runtimes/run.js";

const { values, positionals } = scriptArguments({ only: { type: "string" } });
const home = mkdtempSync(join(tmpdir(), "millrace-starters-"));
const report = new Report(values.only);
try {
  const [path] = positionals;
  const tarball = path === undefined ? await pack(home) : resolve(path);
  for (const name of starterNames) {
    if (values.only !== undefined && values.only !== name) continue;
    const npm = (...args: string[]): Promise<string> =>
      print("npm", args, { cwd: join(home, name), timeout: 300_000 });
    const begun = performance.now();
    const created = await report.need(name, "is created", () => createStarter(home, name, tarball));
    if (created === undefined) continue;
    if ((await report.need(name, "npm install", () => npm("install"))) === undefined) continue;
    await report.need(name, "npm run dev answers, and says why it cannot", () =>
      checkStarterPage(created, name, "dev"),
    );
    console.log(
      `  ${((performance.now() - begun) / 1000).toFixed(0)} s from an empty folder to a page that filled in`,
    );
    const versions = await report.need(name, "npm install with the newest versions", () => newest(created));
    if (versions === undefined) continue;
    console.log(`  ${versions.join(", ")}`);
    await report.need(name, "npm run build", () => npm("run", "build"));
    await report.need(name, "npm start resumes, stops and shows errors in words", () =>
      checkStarterPage(created, name, "start"),
    );
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = report.close();

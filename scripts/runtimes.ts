/**
 * `npm run check:runtimes [-- [TARBALL] [--only NAME]]`: installs the packed package into empty projects outside the
 * repository and uses it there with each runtime: the README's examples, every entry against servers on loopback, the
 * command, the types, and the client in a browser. Without a tarball it packs the current dist.
 *
 * The last line is `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkCommand } from "./runtimes/command.js";
import { checkEntries, checkRequire } from "./runtimes/entries.js";
import { checkPage } from "./runtimes/page.js";
import { makeProjects, pack } from "./runtimes/projects.js";
import { readmeExamples, checkExample } from "./runtimes/readme.js";
import { Report } from "./runtimes/report.js";
import { runtimes } from "./runtimes/runtimes.js";
import { checkTypes, typeChecks } from "./runtimes/types.js";
import { scriptArguments } from "./script-arguments.js";

const { values, positionals } = scriptArguments({ only: { type: "string" } });
const home = mkdtempSync(join(tmpdir(), "millrace-runtimes-"));
const report = new Report(values.only);
try {
  const [path] = positionals;
  const tarball = path === undefined ? await pack(home) : resolve(path);
  const projects = await report.need("install", "the tarball into empty projects", () =>
    makeProjects(home, tarball),
  );
  if (projects !== undefined) {
    const examples = readmeExamples(projects.app);
    for (const start of runtimes) {
      const runtime = await report.need(start.name, "is there", start.get);
      if (runtime === undefined) continue;
      for (const example of examples) {
        await report.check(start.name, `README.md, line ${example.line}`, () =>
          checkExample(runtime, example, projects.app),
        );
      }
      await report.check(start.name, "every entry, over HTTP", () => checkEntries(runtime, projects.app));
      await report.check(start.name, "require() from CommonJS", () => checkRequire(runtime, projects.app));
      await report.check(start.name, "millrace json --patches", () => checkCommand(runtime, projects.app));
    }
    await report.check("Chromium", "the client in a page", () => checkPage(projects.app));
    for (const types of typeChecks) {
      await report.check("types", types.name, () => checkTypes(types, projects));
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = report.close();

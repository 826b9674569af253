import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pack } from "../../scripts/runtimes/projects.js";
import { print } from "../../scripts/runtimes/run.js";
import { createStarter } from "../../scripts/starters/create.js";
import { checkStarterPage } from "../../scripts/starters/page.js";
import { chromiumPath, noChromium } from "../../scripts/find-chromium.js";

/**
 * The apps of the templates with Hono with the packed package. They find the other packages in the repository, so nothing is installed. `npm run check:starters` installs each template from the registry.
 */

const root = join(import.meta.dirname, "../..");

describe.each(["vite-hono", "chat"])("the app of the template %s", (template) => {
  let home: string;
  let app: string;

  beforeAll(async () => {
    mkdirSync(join(root, "temp"), { recursive: true });
    home = mkdtempSync(join(root, "temp/created-"));
    const tarball = await pack(home);
    app = await createStarter(home, template, tarball);
    const installed = join(app, "node_modules/millrace");
    mkdirSync(installed, { recursive: true });
    await print("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], { cwd: home });
  }, 60_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test("compiles and builds", async () => {
    // What `npm run build` runs.
    const bin = (path: string): string => join(root, "node_modules", path);
    await print(process.execPath, [bin("@typescript/native/bin/tsc")], { cwd: app });
    await print(process.execPath, [bin("vite/bin/vite.js"), "build"], { cwd: app });
  }, 60_000);

  if (chromiumPath === undefined) console.log(`Skipped: ${noChromium}`);
  test.skipIf(chromiumPath === undefined)(
    "answers, resumes, stops, and shows errors",
    async () => {
      await checkStarterPage(app, template, "start");
    },
    120_000,
  );
});

import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { ended, environment, executable, run } from "../harness.js";

/** The output of `npm run build`. */
const builtPage = join(import.meta.dirname, "../../../playground/dist/page/index.html");

describe("an invalid call", () => {
  const wrong: [argv: string[], message: RegExp][] = [
    [["--host", "0.0.0.0"], /--host .*0\.0\.0\.0/],
    [["--port", "eighty"], /--port .*65535.*"eighty"/],
    [["--port", "70000"], /--port .*70000/],
    [["now"], /\bnow\b/],
    // The page has not been built in a fresh clone.
    [["--recordings", "/none"], /recordings|npm run build/],
  ];
  test.each(wrong)("%j", async (argv, message) => {
    const { code, stderr } = await run(["playground", ...argv]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

test.runIf(existsSync(builtPage))("prints its URL, and ends on its signal", async () => {
  const signal = AbortSignal.abort(new Stop("interrupted"));
  const { code, stdout, stderr } = await run(["playground", "--no-open"], { signal });
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  expect(stdout).toMatch(/ http:\/\/127\.0\.0\.1:\d+\/ /);
});

describe("a command installed elsewhere than the playground", () => {
  let folder: string;
  let command: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "millrace-alone-"));
    command = join(folder, "millrace.mjs");
    copyFileSync(executable(), command);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const runIn = (cwd: string): ReturnType<typeof ended> =>
    ended(
      spawn(process.execPath, [command, "playground", "--no-open", "--port", "4321"], {
        cwd,
        env: environment(),
      }),
    );

  test("says how to install the playground", async () => {
    const { code, stdout, stderr } = await runIn(folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("npm install millrace-playground");
  });

  test("starts the one of the project", async () => {
    const project = join(folder, "project");
    const home = join(project, "node_modules/millrace-playground");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(project, "package.json"), "{}");
    writeFileSync(
      join(home, "package.json"),
      '{"type": "module", "exports": {".": {"default": "./index.js"}}}',
    );
    writeFileSync(
      join(home, "index.js"),
      `export class PlaygroundError extends Error {}
      export async function startPlayground({ port, host }) {
        throw new PlaygroundError(\`\${host}:\${port} is not free.\`);
      }`,
    );
    const { code, stderr } = await runIn(project);
    expect(code).toBe(2);
    expect(stderr).toContain("127.0.0.1:4321 is not free.");
  });
});

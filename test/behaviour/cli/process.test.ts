import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { applyPatch, type JsonPatch, type JsonValue } from "millrace/json";
import { recipeText } from "#src/cli/commands/demo/recipe.js";
import { ended, environment, executable, parsed } from "../../cli/harness.js";

const command = executable();

function start(argv: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [command, ...argv], { env: environment() });
}

/** The next piece of output of a process. */
function output(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => {
      resolve(chunk.toString());
    });
  });
}

// Real processes, pipes and signals. These tests mostly wait for Node to start, so they run concurrently.
describe.concurrent("the millrace command as a process", () => {
  it("writes the result of a chunk before the next one arrives", async ({ expect }) => {
    const child = start(["json"]);
    const outcome = ended(child);
    for (const [text, line] of [
      ['{"a": "on', '[{"op":"replace","path":"","value":{"a":"on"}}]\n'],
      ['e", "b": [1', '[{"op":"replace","path":"/a","value":"one"},{"op":"add","path":"/b","value":[]}]\n'],
      ["2, ", '[{"op":"add","path":"/b/0","value":12}]\n'],
    ] as const) {
      const next = output(child);
      child.stdin.write(text);
      expect(await next).toBe(line);
    }
    child.stdin.end("3]}");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('[{"op":"add","path":"/b/1","value":3}]\n');
  });

  it("exits with the code of the error", async ({ expect }) => {
    const child = start(["json"]);
    child.stdin.end('{"a": [1, 2');
    expect(await ended(child)).toEqual({
      code: 1,
      stdout: '[{"op":"replace","path":"","value":{"a":[1]}}]\n',
      stderr: expect.stringMatching(/^millrace json: .*\/a\/1 \(line 1, column 12\)/) as string,
    });
  });

  it("ends without an error when its output is closed", async ({ expect }) => {
    const child = start(["json", "--items", ""]);
    const outcome = ended(child);
    child.stdin.on("error", () => {}); // the rest is not read
    const first = output(child);
    child.stdin.write("[1,");
    expect(await first).toBe("1\n");
    child.stdout.destroy();
    const feed = setInterval(() => child.stdin.write("2,"), 10);
    const { code, stderr } = await outcome;
    clearInterval(feed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends on %s with %d", async ([signal, code], { expect }) => {
    const child = start(["json"]);
    const outcome = ended(child);
    const first = output(child);
    child.stdin.write("[1,");
    await first;
    child.kill(signal);
    expect(await outcome).toMatchObject({ code, stderr: "" });
  });

  it("reads a named pipe, and ends on SIGINT while its writer is silent", async ({
    expect,
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-pipe-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const whole = ended(start(["json", "--final", pipe]));
    await writeFile(pipe, "[1]");
    expect(await whole).toEqual({ code: 0, stdout: "[1]\n", stderr: "" });

    const child = start(["json", pipe]);
    const outcome = ended(child);
    const writer = await open(pipe, "w"); // the command has begun to read
    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ code: 130 });
    await writer.close();
  });

  it("ends after Ctrl-C although the mock server is still running", async ({ expect }) => {
    const child = start(["demo"]);
    const outcome = ended(child);
    const lines: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
    await output(child);
    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ code: 130, stderr: "" });
    expect(lines.join("")).not.toContain("loosen it"); // the end of the recipe
  });

  it("runs the demo in a pipe", async ({ expect }) => {
    const { code, stdout, stderr } = await ended(start(["demo"]));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = parsed(stdout);
    const result = lines.pop();
    expect(result).toEqual(JSON.parse(recipeText));
    let document: JsonValue | undefined;
    for (const patch of lines) document = applyPatch(document, patch as JsonPatch);
    expect(document).toEqual(result);
  });

  it("supports --help and --version", async ({ expect }) => {
    const [help, version] = await Promise.all([ended(start(["--help"])), ended(start(["--version"]))]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("Usage");
    expect(version).toMatchObject({ code: 0, stderr: "" });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

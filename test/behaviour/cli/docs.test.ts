import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { exitCodes } from "#src/cli/terminal/exit-codes.js";
import { environment, executable } from "../../cli/harness.js";

const docs = await readFile(new URL("../../../docs/reference/cli.md", import.meta.url), "utf8");
const transcripts = [...docs.matchAll(/^(`{3,})console\n(.*?)^\1$/gms)].map(([, , text = ""]) => text);

const command = executable();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-docs-"));
  const shim = join(folder, "millrace");
  await writeFile(shim, `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Runs the commands of a transcript in one shell, and returns the terminal's content. */
async function replay(transcript: string): Promise<string> {
  const commands = transcript.split("\n").filter((line) => line.startsWith("$ "));
  const script = commands.map((line) => `${line.slice(2)}\ncode=$?; printf '\\036'; (exit $code)`).join("\n");
  const path = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
  const shell = spawn("sh", ["-c", `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { ...environment(), PATH: path },
  });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(shell, "close");
  const outputs = output.split("\u001e");
  return commands.map((line, index) => `${line}\n${outputs[index] ?? ""}`).join("");
}

describe.skipIf(process.platform === "win32").concurrent("docs/reference/cli.md", () => {
  it.for(transcripts.map((text) => [text.split("\n")[0], text] as const))(
    "shows the real output: %s",
    async ([, transcript], { expect }) => {
      expect(await replay(transcript)).toBe(transcript);
    },
  );

  it("lists every exit code", ({ expect }) => {
    const section = docs.slice(docs.indexOf("## Exit codes"));
    const named = [...section.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
    expect(named).toEqual(Object.values(exitCodes));
  });
});

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { InputStream, Io, OutputStream } from "#src/cli/io.js";
import { millrace } from "#src/cli/millrace.js";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setting {
  readonly stdin?: InputStream | readonly (string | Uint8Array)[];
  /** To look at it oneself; then the outcome has none. */
  readonly stdout?: OutputStream;
  readonly stderr?: OutputStream;
  readonly env?: Io["env"];
  readonly signal?: AbortSignal;
}

/** Runs a command in this process. */
export async function run(argv: readonly string[], setting: Setting = {}): Promise<Outcome> {
  const { stdin = [], env = {}, signal = new AbortController().signal } = setting;
  const stdout = setting.stdout ?? new PassThrough();
  const stderr = setting.stderr ?? new PassThrough();
  const out = setting.stdout === undefined ? collected(stdout) : nothing;
  const err = setting.stderr === undefined ? collected(stderr) : nothing;
  const code = await millrace(argv, { stdin: inputOf(stdin), stdout, stderr, env, signal });
  await new Promise(setImmediate); // what was corked has gone out
  return { code, stdout: out(), stderr: err() };
}

/** The lines of NDJSON. */
export function parsed(ndjson: string): unknown[] {
  return ndjson
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/** Runs the command in a process of its own: the sources, or what was built where the suite runs on that. */
export function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
  const home = fileURLToPath(new URL("../../", import.meta.url));
  const main =
    process.env["MILLRACE_DIST"] === "1" ? ["dist/cli/main.js"] : ["--import", "tsx", "src/cli/main.ts"];
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...inherited } = process.env;
  return spawn(process.execPath, [...main, ...argv], { cwd: home, env: { ...inherited, ...env } });
}

/** Waits for the end of a process. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const out = collected(child.stdout);
  const err = collected(child.stderr);
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      if (exitCode === null) reject(new Error(`Ended by ${String(signal)}.`));
      else resolve(exitCode);
    });
  });
  return { code, stdout: out(), stderr: err() };
}

function inputOf(input: NonNullable<Setting["stdin"]>): InputStream {
  return Array.isArray(input) ? chunksOf(input as readonly (string | Uint8Array)[]) : (input as InputStream);
}

async function* chunksOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const chunk of chunks) yield chunk;
}

function collected(stream: NodeJS.EventEmitter): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

function nothing(): string {
  return "";
}

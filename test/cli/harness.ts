import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { InputStream, Io, OutputStream } from "#src/cli/terminal/io.js";
import { millrace } from "#src/cli/millrace.js";
import { bundledPrograms } from "../support/bundled-programs.js";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setting {
  readonly stdin?: InputStream | readonly (string | Uint8Array)[];
  /** Another output to inspect. The outcome has no `stdout` then. */
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
  await new Promise(setImmediate); // corked writes have been flushed
  return { code, stdout: out(), stderr: err() };
}

/** Parses NDJSON. */
export function parsed(ndjson: string): unknown[] {
  return ndjson
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/**
 * Returns the path of the command as a file for Node: a bundle, because compiling the sources for each
 * process would take seconds.
 */
export function executable(): string {
  const home = fileURLToPath(new URL("../../", import.meta.url));
  const [main = ""] = bundledPrograms(join(home, "src/cli/main.ts"));
  return main;
}

/** The environment, without the variables that would reach a real model. */
export function environment(): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
  return env;
}

/** Resolves at the end of a process. */
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

import { readFile } from "node:fs/promises";
import type { Command } from "./command.js";
import { demoCommand } from "./demo-command.js";
import { exitCodes, exitCodesHelp, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { jsonCommand } from "./json-command.js";
import { written } from "../terminal/ndjson.js";
import { OutputError } from "../terminal/output-error.js";
import { playgroundCommand } from "./playground-command.js";
import { reportError } from "./report-error.js";
import { runCommand } from "./run-command.js";
import { Stop } from "../terminal/stop.js";
import { UsageError } from "../terminal/usage-error.js";
import { noop } from "../../stream/core/result.js";

const commands: readonly Command[] = [jsonCommand, runCommand, demoCommand, playgroundCommand];

/**
 * The command line, from its arguments to the exit code. Never rejects: every error becomes a sentence on standard
 * error and a code.
 *
 * @param argv what follows `millrace`
 */
export async function millrace(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word, ...rest] = argv;
  const command = commands.find(({ name }) => name === word);
  const unwritable = new AbortController();
  const onStdoutError = (error: NodeJS.ErrnoException): void => {
    unwritable.abort(error.code === "EPIPE" ? new Stop("reader_gone") : new OutputError(error));
  };
  io.stdout.on("error", onStdoutError);
  // Nobody is left to tell.
  io.stderr.on("error", noop);
  try {
    const signal = AbortSignal.any([io.signal, unwritable.signal]);
    const exitCode = await carryOut(command, word, rest, { ...io, signal });
    await written(io.stdout);
    unwritable.signal.throwIfAborted();
    return exitCode;
  } catch (error) {
    return reportError(error, command === undefined ? "millrace" : `millrace ${command.name}`, io);
  } finally {
    io.stdout.off("error", onStdoutError);
    io.stderr.off("error", noop);
  }
}

async function carryOut(
  command: Command | undefined,
  word: string | undefined,
  rest: readonly string[],
  io: Io,
): Promise<ExitCode> {
  if (command === undefined) return top(word, io);
  if (asksForHelp(rest)) return print(io, `${command.help}\n\n${exitCodesHelp}`);
  return command.run(rest, io);
}

async function top(word: string | undefined, io: Io): Promise<ExitCode> {
  if (word === "--help" || word === "-h" || word === "help") return print(io, help);
  if (word === "--version" || word === "-v") return print(io, await version());
  const names = commands.map(({ name }) => name).join(", ");
  if (word === undefined) throw new UsageError(`A command is missing: ${names}.`);
  throw new UsageError(
    `Unknown ${word.startsWith("-") ? "option" : "command"} ${word}. The commands are ${names}.`,
  );
}

/** Before `--`, as what follows it is data. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === "--help" || word === "-h");
}

function print(io: Io, text: string): ExitCode {
  io.stdout.write(`${text}\n`);
  return exitCodes.ok;
}

async function version(): Promise<string> {
  // Two levels up from src/cli and from dist/cli alike.
  const manifest = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

const help = `millrace: structured output from language models, while it streams

Usage
  millrace <command> [options]

Commands
${commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join("\n")}

Options
  -h, --help     this text; after a command, what that command does
  -v, --version  the version

${exitCodesHelp}`;

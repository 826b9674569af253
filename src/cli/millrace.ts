import { createRequire } from "node:module";
import type { Command } from "./commands/command.js";
import { exitCodes, exitCodesHelp, type ExitCode } from "./terminal/exit-codes.js";
import { type Help, helpLines } from "./terminal/help.js";
import type { Io, OutputStream } from "./terminal/io.js";
import { columnsOf } from "./terminal/live-view.js";
import { written } from "./terminal/ndjson.js";
import { OutputError } from "./terminal/output-error.js";
import { jsonCommand } from "./commands/json-command.js";
import { Stop } from "./terminal/stop.js";
import { stylesFor } from "./terminal/styles.js";
import { similarTo } from "../text/similar.js";
import { UsageError } from "./terminal/usage-error.js";
import { noop } from "../stream/core/result.js";

/** The other commands are loaded on demand, because `millrace json` needs neither the providers nor a server. */
interface CommandEntry {
  readonly name: string;
  /** One line for `millrace --help`. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const commands: readonly CommandEntry[] = [
  {
    name: "json",
    summary: "reads JSON or NDJSON from a file or standard input, as it arrives",
    load: () => Promise.resolve(jsonCommand),
  },
  {
    name: "run",
    summary: "asks a model for JSON and shows the answer as it arrives",
    load: async () => (await import("./asking-commands.js")).runCommand,
  },
  {
    name: "extract",
    summary: "asks a model for an object for each of many documents",
    load: async () => (await import("./document-commands.js")).extractCommand,
  },
  {
    name: "worker",
    summary: "works on the documents of millrace extract --engine dbos",
    load: async () => (await import("./document-commands.js")).workerCommand,
  },
  {
    name: "demo",
    summary: "shows a recipe filling in as a model writes it",
    load: async () => (await import("./asking-commands.js")).demoCommand,
  },
  {
    name: "playground",
    summary: "serves a page that shows how a document fills in",
    load: async () => (await import("./commands/playground-command.js")).playgroundCommand,
  },
];

/**
 * Runs the command line and resolves to the exit code. Never rejects: errors are printed on standard error and mapped
 * to an exit code.
 *
 * @param argv the arguments after `millrace`
 */
export async function millrace(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word, ...rest] = argv;
  const command = commands.find(({ name }) => name === word);
  const unwritable = new AbortController();
  const onStdoutError = (error: NodeJS.ErrnoException): void => {
    unwritable.abort(error.code === "EPIPE" ? new Stop("reader_gone") : new OutputError(error));
  };
  io.stdout.on("error", onStdoutError);
  // Errors of standard error cannot be reported anywhere.
  io.stderr.on("error", noop);
  try {
    const signal = AbortSignal.any([io.signal, unwritable.signal]);
    const exitCode = await runCommand(command, word, rest, { ...io, signal });
    await written(io.stdout);
    unwritable.signal.throwIfAborted();
    return exitCode;
  } catch (error) {
    await new Promise(setImmediate); // the output before the error is uncorked first
    const { reportError } = await import("./output/report-error.js");
    return reportError(error, command === undefined ? "millrace" : `millrace ${command.name}`, io);
  } finally {
    io.stdout.off("error", onStdoutError);
    io.stderr.off("error", noop);
  }
}

async function runCommand(
  entry: CommandEntry | undefined,
  word: string | undefined,
  rest: readonly string[],
  io: Io,
): Promise<ExitCode> {
  if (entry === undefined) return runTopLevel(word, rest, io);
  const command = await entry.load();
  if (asksForHelp(rest)) return printHelp(io.stdout, command.help, io);
  return command.run(rest, io);
}

async function runTopLevel(word: string | undefined, [topic]: readonly string[], io: Io): Promise<ExitCode> {
  if (word === "help" && topic !== undefined) return printHelp(io.stdout, await helpOn(topic), io);
  if (word === "--help" || word === "-h" || word === "help") return printHelp(io.stdout, help, io);
  if (word === "--version" || word === "-v") {
    io.stdout.write(`${version()}\n`);
    return exitCodes.ok;
  }
  const names = commands.map(({ name }) => name);
  if (word === undefined) {
    printHelp(io.stderr, help, io);
    return exitCodes.usage;
  }
  const isOption = word.startsWith("-");
  const similar = similarTo(word, isOption ? ["--help", "--version"] : names);
  throw new UsageError(
    `Unknown ${isOption ? "option" : "command"} ${word}. ` +
      (similar !== undefined
        ? `Did you mean ${similar}?`
        : /\.(json|jsonl|ndjson)$/.test(word)
          ? `To read a file: millrace json ${word}.`
          : `The commands are ${names.join(", ")}.`),
  );
}

async function helpOn(topic: string): Promise<Help> {
  if (topic === "exit-codes") return exitCodesHelp;
  const entry = commands.find(({ name }) => name === topic);
  if (entry !== undefined) return (await entry.load()).help;
  const topics = [...commands.map(({ name }) => name), "exit-codes"];
  const similar = similarTo(topic, topics);
  const advice = similar === undefined ? `The topics are ${topics.join(", ")}.` : `Did you mean ${similar}?`;
  throw new UsageError(`There is no help on ${topic}. ${advice}`);
}

/** Looks only at arguments before `--`; the ones after it are data. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === "--help" || word === "-h");
}

function printHelp(stream: OutputStream, text: Help, { env }: Io): ExitCode {
  stream.write(`${helpLines(text, columnsOf(stream), stylesFor(stream, env)).join("\n")}\n`);
  return exitCodes.ok;
}

/** From the manifest of this package, which finds itself by its name. */
function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("millrace/package.json");
  return (manifest as { readonly version: string }).version;
}

const help: Help = {
  title: "millrace: structured output from language models, while it streams",
  parts: [
    { heading: "Usage", commands: ["millrace <command> [options]"] },
    { heading: "Commands", rows: commands.map(({ name, summary }) => [name, summary]) },
    {
      heading: "Options",
      rows: [
        ["-h, --help", "show this help; after a command, show its help"],
        ["-v, --version", "show the version"],
      ],
    },
    "millrace help exit-codes lists the exit codes.",
  ],
};

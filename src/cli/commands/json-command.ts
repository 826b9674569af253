import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";
import { parseArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { writeLine } from "../terminal/ndjson.js";
import { outputHelp, outputMode, outputOptions, type OutputMode } from "../output/output-mode.js";
import { outputStage } from "../output/output-stage.js";
import { readText } from "./read-text.js";
import { reportRepairs } from "../output/report-repairs.js";
import { readSchemaFile } from "./schema-file.js";
import { UsageError } from "../terminal/usage-error.js";

export const jsonCommand: Command = {
  help: `millrace json: reads JSON from standard input as it arrives

Usage
  millrace json [--schema FILE] [--lenient]
                [--patches [--append] | --snapshots | --items POINTER | --final]

The input may arrive in pieces of any size. Each piece that changes the value is written at
once. If the input is invalid or cut off, the error and its place go to standard error, after
all output for the valid part.

${outputHelp}

Options
  --schema FILE    check the value against this JSON Schema
  --lenient        find the JSON in a model's text (prose, fences, <think>) and repair small errors;
                   each repair is a line on standard error
  -h, --help       show this help

Examples
  printf '{"name": "Ada", "tags": ["a", "b"]}' | millrace json --items /tags
  curl -sN "$URL" | millrace json --snapshots --schema answer.schema.json`,
  run,
};

const options = { ...outputOptions, schema: { type: "string" }, lenient: { type: "boolean" } } as const;
const defaultMode: OutputMode = { kind: "patches", append: false };

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArguments(argv, options);
  if (positionals.length > 0) {
    throw new UsageError(
      `Expected no arguments, but got ${positionals.join(" ")}. To read a file, use: millrace json < FILE.`,
    );
  }
  const mode = outputMode(values) ?? defaultMode;
  const schema = values.schema === undefined ? undefined : await readSchemaFile(values.schema);
  if (io.stdin.isTTY === true)
    io.stderr.write("Reading JSON from the terminal. Press Ctrl-D to end the input.\n");
  const stage = outputStage(mode, schema, {
    strict: values.lenient !== true,
    onRepair: (repair) => {
      reportRepairs([repair], "millrace json", io);
    },
  });
  for await (const line of pipe(io.stdin, readText(), stage, abortable(io.signal))) {
    await writeLine(io.stdout, line, io.signal);
  }
  return exitCodes.ok;
}

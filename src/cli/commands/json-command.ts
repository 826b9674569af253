import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";
import { parseArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { writeLine } from "../terminal/ndjson.js";
import { outputHelp, outputMode, outputOptions, type OutputMode } from "./output-mode.js";
import { outputStage } from "./output-stage.js";
import { readText } from "./read-text.js";
import { reportRepairs } from "./report-repairs.js";
import { readSchemaFile } from "./schema-file.js";
import { UsageError } from "../terminal/usage-error.js";

export const jsonCommand: Command = {
  help: `millrace json: reads JSON from standard input while it arrives

Usage
  millrace json [--schema FILE] [--lenient]
                [--patches [--append] | --snapshots | --items POINTER | --final]

The text may come in any pieces; after each piece that changes something, the change is
written at once. The end is checked: text that is cut off or wrong is reported on standard
error with its place. What came before it has been written by then.

${outputHelp}

Options
  --schema FILE    a JSON Schema; the whole value is checked against it at the end
  --lenient        find the JSON in what a model wrote (prose, fences, <think>), and repair what is
                   nearly JSON; each repair is a line on standard error
  -h, --help       this text

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
      `It reads standard input, not ${positionals.join(" ")}. Redirect a file: millrace json < FILE.`,
    );
  }
  const mode = outputMode(values) ?? defaultMode;
  const schema = values.schema === undefined ? undefined : await readSchemaFile(values.schema);
  if (io.stdin.isTTY === true) io.stderr.write("Reading JSON from the terminal. Ctrl-D ends it.\n");
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

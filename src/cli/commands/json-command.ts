import { abortable } from "../../stream/operators/abortable.js";
import type { Operator } from "../../stream/operator.js";
import { pipe } from "../../stream/pipe.js";
import type { JsonCoercion } from "../../json/coercion.js";
import { cut } from "../../text/cut.js";
import { checkLocale } from "../../schema/coerce/check-locale.js";
import { placeOf } from "../../schema/schema.js";
import { parseArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { eachLine } from "../output/each-line.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { helpRow } from "../terminal/help.js";
import type { Io } from "../terminal/io.js";
import { writeText } from "../terminal/ndjson.js";
import { printableLine } from "../terminal/printable.js";
import { outputHelp, outputMode, outputOptions, type OutputMode } from "../output/output-mode.js";
import { outputStage } from "../output/output-stage.js";
import { openFile } from "./open-file.js";
import { readText } from "./read-text.js";
import { reportRepairs } from "../output/report-repairs.js";
import { readSchemaFile } from "./schema-file.js";
import { UsageError } from "../terminal/usage-error.js";

export const jsonCommand: Command = {
  help: {
    title: "millrace json: reads JSON or NDJSON as it arrives",
    parts: [
      {
        heading: "Usage",
        commands: [
          "millrace json [FILE] [--ndjson] [--schema FILE] [--lenient] [--locale TAG] " +
            "[--patches [--append] | --snapshots | --items POINTER | --final]",
        ],
      },
      "Without a FILE, or with -, the command reads standard input. The input may arrive in pieces of any size. Each " +
        "piece that changes the value is written at once. If the input is invalid or cut off, the error and its place go " +
        "to standard error, after all output for the valid part.",
      outputHelp,
      {
        heading: "Options",
        rows: [
          [
            "--ndjson",
            "read one JSON document per line; the default for .ndjson and .jsonl files. The output of a document begins " +
              "when its line does",
          ],
          ["--schema FILE", "check each document against this JSON Schema"],
          [
            "--lenient",
            "find the JSON in a model's text (prose, fences, <think>) and repair small errors; each repair is a line on " +
              'standard error. With --schema, values are read as it expects them ("$1,234" as 1234), and each such ' +
              "coercion is a line, too",
          ],
          ["--locale TAG", "with --schema and --lenient, the locale of numbers in strings, such as de"],
          helpRow,
        ],
      },
      {
        heading: "Examples",
        commands: [
          "millrace json people.json --items /people",
          'curl -sN "$URL" | millrace json --snapshots --schema answer.schema.json',
        ],
      },
    ],
  },
  run,
};

const options = {
  ...outputOptions,
  ndjson: { type: "boolean" },
  schema: { type: "string" },
  lenient: { type: "boolean" },
  locale: { type: "string" },
} as const;
const defaultMode: OutputMode = { kind: "patches", append: false };

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArguments(argv, options);
  const [path = "-", ...more] = positionals;
  if (more.length > 0) throw new UsageError(`Expected one file, but got ${positionals.join(" ")}.`);
  const mode = outputMode(values) ?? defaultMode;
  const schema = values.schema === undefined ? undefined : await readSchemaFile(values.schema);
  if (values.locale !== undefined) {
    if (schema === undefined || values.lenient !== true)
      throw new UsageError(
        "Expected --schema and --lenient with --locale: only then numbers in strings are read.",
      );
    try {
      checkLocale(values.locale);
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
  const input = path === "-" ? io.stdin : await openFile(path);
  if (input.isTTY === true)
    io.stderr.write("Reading JSON from the terminal. Press Ctrl-D to end the input.\n");
  let miss: string | undefined;
  const document = outputStage(mode, schema, {
    strict: values.lenient !== true,
    onRepair: (repair) => {
      reportRepairs([repair], "millrace json", io);
    },
    onCoerce: (coercion) => {
      reportCoercion(coercion, io);
    },
    ...(values.locale !== undefined && { locale: values.locale }),
    onMiss: (message) => (miss = message),
  });
  const isNdjson = values.ndjson ?? /\.(ndjson|jsonl)$/.test(path);
  const stage: Operator<string, string> = isNdjson ? eachLine(document) : document;
  let lines = 0;
  for await (const line of pipe(input, readText(), stage, abortable(io.signal))) {
    lines++;
    await writeText(io.stdout, line, io.signal);
  }
  if (lines === 0 && miss !== undefined) io.stderr.write(`millrace json: ${printableLine(miss)}\n`);
  return exitCodes.ok;
}

function reportCoercion({ pointer, kind, from, to }: JsonCoercion, { stderr }: Pick<Io, "stderr">): void {
  const written = cut(JSON.stringify(from), 60);
  const result = to === undefined ? "left out" : `read as ${cut(JSON.stringify(to), 60)}`;
  const line = printableLine(`${kind} at ${placeOf(pointer)}: ${written} ${result}`);
  stderr.write(`millrace json: coerced: ${line}\n`);
}

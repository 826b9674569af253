import { initModel } from "../../models/init-model.js";
import { pipe } from "../../stream/pipe.js";
import { parseArguments } from "./arguments.js";
import { ask } from "./ask.js";
import type { Command } from "./command.js";
import { connection } from "./connection.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { fillIn } from "../terminal/fill-in.js";
import { isLiveTerminal, type Io } from "../terminal/io.js";
import { writeLine } from "../terminal/ndjson.js";
import { outputHelp, outputMode, outputOptions } from "./output-mode.js";
import { outputStage } from "./output-stage.js";
import { PatchedValue } from "../terminal/patched-value.js";
import { reportRepairs } from "./report-repairs.js";
import { readSchemaFile } from "./schema-file.js";
import { Tally } from "../terminal/tally.js";
import { UsageError } from "../terminal/usage-error.js";

export const runCommand: Command = {
  help: `millrace run: asks a model for JSON and shows it while it is written

Usage
  millrace run --model PROVIDER:MODEL [--schema FILE] [options] "PROMPT"

On a terminal the answer fills in, in place. Elsewhere, or when a form of output is asked
for, it is written as NDJSON. The JSON is found in what the model writes (prose, fences,
<think>), and repaired where it is nearly JSON; each repair is a line on standard error.

Options
  --model NAME     the provider and its model: openai:gpt-5-mini, anthropic:…, gemini:…, ollama:…
  --schema FILE    a JSON Schema; the model is asked for it, and the answer checked against it
  --base-url URL   another server with the API of the provider
  -h, --help       this text

${outputHelp}

Environment
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY      the key of the provider
  OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST       what --base-url is by default

Example
  millrace run --model openai:gpt-5-mini --schema recipe.schema.json "A recipe for green tea"`,
  run,
};

const options = {
  ...outputOptions,
  model: { type: "string" },
  schema: { type: "string" },
  "base-url": { type: "string" },
} as const;

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArguments(argv, options);
  const mode = outputMode(values);
  const prompt = promptOf(positionals);
  if (values.model === undefined) {
    throw new UsageError("The model is missing. Name one: --model openai:gpt-5-mini.");
  }
  const schema = values.schema === undefined ? undefined : await readSchemaFile(values.schema);
  const model = await initModel(values.model, connection(values.model, io.env, values["base-url"]));
  const chunks = ask(model, prompt, schema, io.signal);
  if (mode === undefined && isLiveTerminal(io.stdout, io.env)) {
    const tally = new Tally({ withSizes: false });
    const writing = { chunks, schema, document: new PatchedValue(), tally, repairs: [] };
    try {
      await fillIn(writing, values.model, io);
    } finally {
      reportRepairs(writing.repairs, "millrace run", io);
    }
    return exitCodes.ok;
  }
  const stage = outputStage(mode ?? { kind: "patches", append: false }, schema, {
    nullAsAbsent: true, // strict modes write null for an absent optional property
    onRepair: (repair) => {
      reportRepairs([repair], "millrace run", io);
    },
  });
  for await (const line of pipe(chunks, stage)) await writeLine(io.stdout, line, io.signal);
  return exitCodes.ok;
}

function promptOf(positionals: readonly string[]): string {
  const [prompt = "", ...more] = positionals;
  if (more.length > 0) {
    throw new UsageError(`There is one prompt, but ${positionals.length} arguments came. Put it in quotes.`);
  }
  if (prompt.trim() === "")
    throw new UsageError('The prompt is missing. Say what to write: "A recipe for tea".');
  return prompt;
}

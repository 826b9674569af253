import { isLocal, type LocalServer, localServers } from "../../models/openai/request/servers.js";
import { initModel } from "../../models/init-model.js";
import { pipe } from "../../stream/pipe.js";
import { quoted } from "../../text/cut.js";
import { tap } from "../../stream/operators/tap.js";
import { systemClock } from "../../stream/time/clock.js";
import { parseArguments } from "./arguments.js";
import { ask } from "./ask.js";
import { callCounts } from "./call-counts.js";
import type { Command } from "./command.js";
import { connection, environmentHelp } from "./connection.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { helpRow } from "../terminal/help.js";
import { fillIn } from "../output/fill-in.js";
import { isLiveTerminal, type Io } from "../terminal/io.js";
import { writeText } from "../terminal/ndjson.js";
import { printableLine } from "../terminal/printable.js";
import { outputHelp, outputMode, outputOptions } from "../output/output-mode.js";
import { outputStage } from "../output/output-stage.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import { reportRepairs } from "../output/report-repairs.js";
import { readSchemaFile } from "./schema-file.js";
import { Tally } from "../terminal/tally.js";
import { UsageError } from "../terminal/usage-error.js";

export const runCommand: Command = {
  help: {
    title: "millrace run: asks a model for JSON and shows the answer as it arrives",
    parts: [
      {
        heading: "Usage",
        commands: ['millrace run --model PROVIDER:MODEL [--schema FILE] [options] "PROMPT"'],
      },
      "On a terminal, the answer fills in in place. Otherwise, or with an output option, it is written as NDJSON. The " +
        "command finds the JSON in the model's text (prose, fences, <think>) and repairs small errors; each repair is a " +
        "line on standard error. The last line there, or the one before an error, has the tokens and the time.",
      {
        heading: "Options",
        rows: [
          ["--model NAME", "provider and model: openai:gpt-6.1-terra, anthropic:…, gemini:…, ollama:…"],
          ["--schema FILE", "ask for a value of this JSON Schema, and check the answer"],
          ["--base-url URL", "a different server with the provider's API"],
          [
            "--server NAME",
            "what a server with OpenAI's API is: llama.cpp, lmstudio, ollama, vllm. It enforces the schema by a grammar. " +
              "Without --base-url it is a local one",
          ],
          helpRow,
        ],
      },
      outputHelp,
      environmentHelp("default of --base-url"),
      {
        heading: "Example",
        commands: [
          'millrace run --model openai:gpt-6.1-terra --schema recipe.schema.json "A recipe for green tea"',
        ],
      },
    ],
  },
  run,
};

const options = {
  ...outputOptions,
  model: { type: "string" },
  schema: { type: "string" },
  "base-url": { type: "string" },
  server: { type: "string" },
} as const;

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArguments(argv, options);
  const mode = outputMode(values);
  const prompt = promptOf(positionals);
  if (values.model === undefined) {
    throw new UsageError("Missing --model. Example: --model openai:gpt-6.1-terra.");
  }
  const schema = values.schema === undefined ? undefined : await readSchemaFile(values.schema);
  const { name, server } = onServer(values.model, values.server);
  const model = await initModel(name, { ...connection(name, io.env, values["base-url"]), ...server });
  const counts = callCounts(systemClock);
  const chunks = pipe(ask(model, prompt, schema, io.signal), tap(counts.add));
  const writing = {
    chunks,
    schema,
    document: new GrowingValue(),
    tally: new Tally({ withSizes: false }),
    repairs: [],
  };
  let miss: string | undefined;
  const stage = outputStage(mode ?? { kind: "patches", append: false }, schema, {
    nullAsAbsent: true, // strict modes write null for an absent optional property
    onRepair: (repair) => {
      reportRepairs([repair], "millrace run", io);
    },
    onMiss: (message) => (miss = message),
  });
  try {
    if (mode === undefined && isLiveTerminal(io.stdout, io.env)) await fillIn(writing, values.model, io);
    else for await (const line of pipe(chunks, stage)) await writeText(io.stdout, line, io.signal);
  } finally {
    reportRepairs(writing.repairs, "millrace run", io);
    if (miss !== undefined) io.stderr.write(`millrace run: ${printableLine(miss)}\n`);
    const summary = counts.summary();
    if (summary !== undefined && !io.signal.aborted) io.stderr.write(`millrace run: ${summary}\n`);
  }
  return exitCodes.ok;
}

/** A model on a server with OpenAI's API. Its name may look like that of another provider: `qwen3:8b`. */
function onServer(
  model: string,
  server: string | undefined,
): { readonly name: string; readonly server?: { readonly server: LocalServer } } {
  if (server === undefined) return { name: model };
  if (!isLocal(server)) {
    const known = Object.keys(localServers).join(", ");
    throw new UsageError(`Unknown --server ${quoted(server)}. Known servers: ${known}.`);
  }
  return { name: model.startsWith("openai:") ? model : `openai:${model}`, server: { server } };
}

function promptOf(positionals: readonly string[]): string {
  const [prompt = "", ...more] = positionals;
  if (more.length > 0) {
    throw new UsageError(
      `Expected one prompt, but got ${positionals.length} arguments. Put the prompt in quotes.`,
    );
  }
  if (prompt.trim() === "") throw new UsageError('Missing prompt. Example: "A recipe for tea".');
  return prompt;
}

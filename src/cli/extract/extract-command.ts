import { join, parse } from "node:path";
import { AgentError } from "../../agent/errors.js";
import { ModelError } from "../../models/contract/errors.js";
import { initModel } from "../../models/init-model.js";
import { generateObject } from "../../object/generate-object.js";
import { abortable } from "../../stream/operators/abortable.js";
import { pipe } from "../../stream/pipe.js";
import { systemClock } from "../../stream/time/clock.js";
import { count, counted } from "../../text/counts.js";
import { messageOf } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { ExtractCounts, type ExtractProgress, type Price } from "./counts.js";
import { inputKinds } from "./documents.js";
import { dryRun } from "./dry-run.js";
import { engineOf } from "./engines.js";
import { openExtractRun } from "./extract-run.js";
import type { InputSource } from "./inputs/document.js";
import { inputSources } from "./inputs/input-sources.js";
import { countsByReason } from "./progress-frame.js";
import { showProgress } from "./progress-view.js";
import { documentPrompt } from "./prompt.js";
import { concurrencyOption, rateOption } from "./number-options.js";
import { sha256Of } from "./seen-table.js";
import { openRunFolder } from "./run-folder.js";
import type { TaskCall } from "./tasks/task.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { helpRow } from "../terminal/help.js";
import type { Io } from "../terminal/io.js";
import { fitted } from "../terminal/text-layout.js";
import { messageForUser, UsageError } from "../terminal/usage-error.js";
import { parseArguments, type ParsedArguments } from "../commands/arguments.js";
import type { Command } from "../commands/command.js";
import { environmentHelp } from "../commands/connection.js";
import { readWhole } from "../commands/open-file.js";
import { readSchemaFile } from "../commands/schema-file.js";

export const extractCommand: Command = {
  help: {
    title: "millrace extract: asks a model for an object for each of many documents",
    parts: [
      {
        heading: "Usage",
        commands: [
          "millrace extract --model PROVIDER:MODEL --schema FILE --input PATTERN --out FILE [options]",
          "millrace extract … --sql QUERY --db URL --out FILE [options]",
        ],
      },
      'Each object is a line of the output file: {"id", "content", "object", "attempts", "usage"}, with its ' +
        '"coercions" and "repairs" if it is not as the model wrote it. Documents without an ' +
        "object are lines of a second file (for out.jsonl, out.errors.jsonl), with the kind of the failure and a " +
        "message. Run the same command again after Ctrl-C, a crash or a full disk: it continues, and each document has " +
        "one line.",
      {
        heading: "Input",
        rows: [
          [
            "--input PATTERN",
            "text files, as 'docs/**/*.txt' or a folder: each file is a document; or .jsonl, .ndjson, .csv and .tsv " +
              "files: each row is a document. May be repeated",
          ],
          ["--sql QUERY", "each row of a query is a document"],
          [
            "--db URL",
            "the database of --sql and of --engine: postgres://… (needs the package pg), or for --sql an SQLite file",
          ],
          ["--id COLUMN", "the column with the id of a row; default: a hash of the content"],
          ["--delimiter C", 'between the cells of a CSV file; default: "," ";" or a tab, as in line 1'],
        ],
      },
      {
        heading: "Request",
        rows: [
          ["--model NAME", "provider and model: openai:gpt-6.1-terra, anthropic:…, gemini:…, ollama:…"],
          ["--schema FILE", "the JSON Schema of the object"],
          [
            "--prompt TEXT",
            "the prompt for a document; {text} is its text or its row as JSON, {place} its place, {column} a column, " +
              "also if its name is text or place. @FILE reads it from a file",
          ],
          ["--system TEXT", "instructions before the prompt"],
          ["--base-url URL", "a different server with the provider's API"],
        ],
      },
      {
        heading: "Speed",
        rows: [
          ["--concurrency N", "documents at the same time; default: 8"],
          ["--rpm N", "requests per minute, such as 2000 or 2e3"],
          ["--tpm N", "tokens per minute, such as 4e6"],
          [
            "--engine dbos",
            "let any number of processes of millrace worker do the work, through --db; --concurrency is the number of " +
              "documents on the queue, default: 1000",
          ],
          [
            "--provider-batch",
            "use the batch endpoints of OpenAI or Anthropic, which cost half and may take a day; --concurrency is the " +
              "number of documents in a batch, default: 10000",
          ],
        ],
      },
      {
        heading: "Output",
        rows: [
          ["--out FILE", "the objects, as NDJSON"],
          ["--price IN,OUT", "dollars for a million input and output tokens, to show the cost"],
          ["--retry-errors", "ask again about the documents that failed before"],
          ["--accept-changes", "continue although the schema, the prompt or the model changed"],
          ["--dry-run", "count the documents and show a prompt; ask nothing, write nothing"],
          helpRow,
        ],
      },
      "Standard error shows the progress: in place on a terminal, otherwise as a line of JSON every 5 seconds. The exit " +
        "code is 1 if some documents failed.",
      environmentHelp("default of --base-url"),
      {
        heading: "Example",
        commands: [
          "millrace extract --model openai:gpt-6.1-terra --schema invoice.schema.json " +
            "--input 'invoices/**/*.txt' --out invoices.jsonl --concurrency 32 --rpm 2000",
        ],
      },
    ],
  },
  run,
};

const options = {
  input: { type: "string", multiple: true },
  sql: { type: "string" },
  db: { type: "string" },
  id: { type: "string" },
  delimiter: { type: "string" },
  model: { type: "string" },
  schema: { type: "string" },
  prompt: { type: "string" },
  system: { type: "string" },
  "base-url": { type: "string" },
  concurrency: { type: "string" },
  engine: { type: "string" },
  "provider-batch": { type: "boolean" },
  rpm: { type: "string" },
  tpm: { type: "string" },
  out: { type: "string" },
  price: { type: "string" },
  "retry-errors": { type: "boolean" },
  "accept-changes": { type: "boolean" },
  "dry-run": { type: "boolean" },
} as const;

type ExtractValues = ParsedArguments<typeof options>["values"];

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArguments(argv, options);
  // A shell that expands a pattern passes its other files as arguments.
  const isInput = values.sql !== undefined || values.engine === undefined;
  const sources = inputSources({
    ...values,
    input: [...(values.input ?? []), ...positionals],
    db: isInput ? values.db : undefined,
  });
  const schemaFile = required(values, "schema");
  const schema = await readSchemaFile(schemaFile);
  const prompt = documentPrompt(
    values.prompt === undefined ? undefined : await promptText(values.prompt),
    sources.some(({ hasColumns }) => hasColumns),
  );
  const price = values.price === undefined ? undefined : priceOf(values.price);
  if (values["dry-run"] === true) {
    if (values.model !== undefined) await checkSchema({ model: values.model, schema });
    return await dryRun({ sources, prompt, price, io });
  }
  const out = required(values, "out");
  const name = required(values, "model");
  const call = {
    model: name,
    baseURL: values["base-url"],
    schema,
    system: values.system,
    requestsPerMinute: rateOption("rpm", values.rpm),
    tokensPerMinute: rateOption("tpm", values.tpm),
  };
  await checkSchema(call);
  const retryErrors = values["retry-errors"] === true;
  const providerBatch = values["provider-batch"] === true;
  const concurrency = concurrencyOption(values.concurrency, providerBatch ? maxBatch : undefined);
  const unanswered = new AbortController();
  const signal = AbortSignal.any([io.signal, unanswered.signal]);
  const engine = await engineOf(
    call,
    { engine: values.engine, db: values.db, concurrency, providerBatch, retryErrors },
    { ...io, signal },
  );
  const identity = {
    schema: sha256Of(JSON.stringify(schema)),
    prompt: sha256Of(prompt.template),
    system: sha256Of(values.system ?? ""),
    model: name,
  };
  const counts = new ExtractCounts(price, systemClock);
  counts.total = 0;
  for await (const number of pipe(documentCounts(sources), abortable(io.signal))) counts.total += number;
  const errors = errorsOf(out);
  const folder = await openRunFolder({ out, errors }, identity, values["accept-changes"] === true);
  try {
    const work = await openExtractRun({
      ...{ sources, prompt, out, errors, counts, retryErrors, signal },
      // Workers report the requests of a document only at its end.
      maxUnanswered: values.engine === undefined ? rounds * Math.min(concurrency ?? 8, counts.total) : rounds,
      onUnanswered: (error) => {
        unanswered.abort(isInstance(error, ModelError) ? error : new ModelError("network", messageOf(error)));
      },
    });
    const progress = showProgress(counts, `millrace extract · ${name} · ${out}`, io);
    try {
      await work.extract(await engine(folder));
    } finally {
      progress.close();
      await work.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { done, total } = counts.progress;
    const of = total === undefined ? "" : ` of ${count(total)}`;
    const why = unanswered.signal.aborted ? ", because the first requests all failed" : "";
    note(
      `stopped with ${count(done)}${of} documents done${why}. Run the same command again to continue.`,
      io,
    );
    throw error;
  } finally {
    await folder.close();
  }
  const { done, failed, changes } = counts.progress;
  const changed = Object.keys(changes).length === 0 ? "" : ` (${countsByReason(changes)})`;
  const failures = failed === 0 ? "" : ` ${failureReport(counts.progress, errors)}`;
  note(`${counted(done - failed, "object")} in ${out}${changed}.${failures}`, io);
  return failed === 0 ? exitCodes.ok : exitCodes.badData;
}

function note(text: string, { stderr }: Io): void {
  stderr.write(`${fitted(`millrace extract: ${text}`, stderr)}\n`);
}

/** How often the first documents are asked about, over about six seconds, before a server without an answer is given up. */
const rounds = 5;

/** The most requests in a batch of Anthropic. */
const maxBatch = 100_000;

/** `out.ndjson` → `out.errors.ndjson` */
function errorsOf(out: string): string {
  const { dir, name, ext } = parse(out);
  return join(dir, `${name}.errors${ext === "" ? ".jsonl" : ext}`);
}

/**
 * The number of documents of each source. Also reads one of them: a wrong --input must not begin a run, which could not
 * change its model.
 */
async function* documentCounts(sources: readonly InputSource[]): AsyncGenerator<number, void, undefined> {
  for (const source of sources) {
    for await (const _first of source.documents()) break;
    yield await source.count();
  }
}

function required(values: ExtractValues, name: keyof typeof examples): string {
  const value = values[name];
  if (value !== undefined && value !== "") return value;
  throw new UsageError(`Missing --${name}. Example: --${name} ${examples[name]}.`);
}

const examples = { schema: "invoice.schema.json", out: "invoices.jsonl", model: "openai:gpt-6.1-terra" };

async function promptText(prompt: string): Promise<string> {
  return prompt.startsWith("@") ? readWhole("--prompt: the file", prompt.slice(1)) : prompt;
}

function isPrice(price: number): boolean {
  return price >= 0 && price < Infinity;
}

/** @throws {UsageError} */
function priceOf(text: string): Price {
  const [input, output, ...more] = text.split(",").map((number) => Number(number.trim() || "none"));
  if (input === undefined || output === undefined || more.length > 0 || ![input, output].every(isPrice)) {
    throw new UsageError(`--price must be two numbers, such as 0.25,2, but is ${JSON.stringify(text)}.`);
  }
  return { input, output };
}

/**
 * Makes the request for a document, and sends nothing.
 *
 * @throws {UsageError} if the provider cannot express the schema
 */
async function checkSchema({ model: name, schema }: Pick<TaskCall, "model" | "schema">): Promise<void> {
  const fetch = (): Promise<never> => Promise.reject(new Error("Nothing is sent."));
  const model = await initModel(name, { apiKey: "none", fetch, maxRetries: 0 });
  try {
    await generateObject({ model, schema, prompt: "A document" });
  } catch (error) {
    const isOfModel = isInstance(error, ModelError) && error.schemaPointer !== undefined;
    const isOfAgent = isInstance(error, AgentError) && error.code === "invalid_options";
    if (!isOfModel && !isOfAgent) return;
    throw new UsageError(`--schema: ${messageForUser(error)}`, { cause: error });
  }
}

/** Says how many documents have no object, why, and what to do. */
function failureReport({ failed, failures }: ExtractProgress, errors: string): string {
  const now = Object.values(failures).reduce((sum, times) => sum + times, 0);
  const earlier = failed - now;
  const reasons = countsByReason({ ...failures, ...(earlier > 0 && { "of earlier runs": earlier }) });
  // Wrong inputs are read again by each run, so failures of earlier runs are answers.
  const isWrongInput = earlier === 0 && Object.keys(failures).every((kind) => inputKinds.has(kind));
  const advice = isWrongInput
    ? "Correct these inputs and run the command again."
    : "To ask again, add --retry-errors.";
  return (
    `${counted(failed, "document has", "documents have")} no object (${reasons}). ` +
    `The reasons are in ${errors}. ${advice}`
  );
}

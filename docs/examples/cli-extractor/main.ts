/** Reads the orders out of each letter in a folder, a few letters at a time, and writes them as JSONL. */
import { parseArgs } from "node:util";
import { batchInvoke, mapAsync } from "millrace";
import { openai } from "millrace/openai";
import { connect, modelOptions } from "../support/connect.js";
import { extractor, type Outcome } from "./extract.js";
import { lettersIn } from "./letters.js";
import { createProgress } from "./progress.js";
import { standIn } from "./stand-in.js";

const usage = `Usage: main.ts [FOLDER] [--concurrency N] [--model NAME] [--base-url URL]

Writes each order in the .txt files of the folder as a line of JSON. Without a folder it reads its own letters.`;

process.exitCode = await main();

async function main(): Promise<number> {
  let command: ReturnType<typeof readArguments>;
  let files: Awaited<ReturnType<typeof lettersIn>>;
  try {
    command = readArguments();
    files = await lettersIn(command.folder);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    return 2;
  }

  // Ctrl-C aborts the signal, and the signal ends all: what waits, what is being read, and the requests under way.
  const stop = new AbortController();
  const interrupt = (): void => {
    stop.abort(new Error("Interrupted."));
  };
  process.once("SIGINT", interrupt);
  process.stdout.once("error", interrupt); // the reader of the results has gone, as `| head -1` does

  const { endpoint, title, close } = await connect(command.values, standIn);
  const progress = createProgress(process.stderr, files.length);
  console.error(`${files.length} letters, ${command.concurrency} at a time, read by ${title}`);

  const extract = extractor(openai(endpoint), stop.signal);
  const read = mapAsync(async (file: (typeof files)[number]): Promise<Outcome> => {
    progress.begin(file.name);
    const outcome = await extract(file.path, () => progress.found(file.name));
    // The orders of a letter are written together, and only of a letter that was read to its end.
    if (outcome.ok) {
      for (const order of outcome.orders) progress.write(JSON.stringify({ file: file.name, ...order }));
    }
    progress.end(file.name, outcome);
    return outcome;
  });
  try {
    const { concurrency } = command;
    const outcomes = await batchInvoke(read, files, { concurrency, signal: stop.signal });
    return outcomes.every((outcome) => outcome?.ok) ? 0 : 1;
  } catch (error) {
    progress.note(messageOf(error));
    return stop.signal.aborted ? 130 : 1;
  } finally {
    progress.close();
    process.off("SIGINT", interrupt);
    await close();
  }
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { ...modelOptions, concurrency: { type: "string", default: "3" } },
    allowPositionals: true,
  });
  const concurrency = Number(values.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Error("--concurrency is a whole number from 1 on.");
  if (positionals.length > 1) throw new Error("Only one folder, please.");
  return { values, concurrency, folder: positionals[0] ?? `${import.meta.dirname}/letters` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

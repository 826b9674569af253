import { randomUUID } from "node:crypto";
import type { JsonValue } from "../../../json/value.js";
import { ModelError } from "../../../models/contract/errors.js";
import type { Extraction, ExtractionRetry } from "../../../object/extract/extraction.js";
import { changesOf } from "../../../object/extract/extract-one.js";
import { parallel } from "../../../stream/core/parallel.js";
import { abortable } from "../../../stream/operators/abortable.js";
import { isInstance } from "../../../text/thrown.js";
import type { AskedDocument } from "../documents.js";
import { databaseError } from "../postgres.js";
import { launchDbos } from "./dbos.js";
import type { TaskCall, TaskOutcome } from "./task.js";
import { taskQueueOf } from "./task-queue.js";

export interface QueuedResultsOptions {
  readonly database: string;
  readonly runId: string;
  readonly call: TaskCall;
  /** The number of documents on the queue. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onRetry: (retry: Pick<ExtractionRetry, "failure" | "error">) => void;
}

/** The results of workers, as they arrive. */
export async function* queuedResults(
  documents: AsyncIterable<AskedDocument>,
  { database, runId, call, concurrency, signal, onRetry }: QueuedResultsOptions,
): AsyncGenerator<Extraction<JsonValue, AskedDocument>, void, undefined> {
  const dbos = await launchDbos(database, randomUUID(), signal);
  const tasks = taskQueueOf(dbos, runId, call);
  const work = async (input: AskedDocument, index: number): Promise<Extraction<JsonValue, AskedDocument>> => {
    const outcome = await tasks.run(input.prompt).catch((error: unknown) => {
      throw databaseError(error);
    });
    return toExtraction(input, index, outcome, onRetry);
  };
  let failed = false;
  try {
    const limits = { concurrency, ordered: false, maxHeld: concurrency };
    const results = parallel(documents, work, limits);
    for await (const result of abortable<Extraction<JsonValue, AskedDocument>>(signal)(results)) {
      yield result;
      await tasks.done(result.input.prompt);
    }
  } catch (error) {
    failed = isInstance(error, ModelError);
    throw error;
  } finally {
    try {
      await tasks.close(failed);
    } finally {
      await dbos.shutdown();
    }
  }
}

/** @throws {ModelError} if all tasks fail in the same way */
function toExtraction(
  input: AskedDocument,
  index: number,
  outcome: TaskOutcome,
  onRetry: QueuedResultsOptions["onRetry"],
): Extraction<JsonValue, AskedDocument> {
  if ("fatal" in outcome) throw new ModelError("http", outcome.fatal);
  const { attempts, usage, retries } = outcome;
  const facts = { input, index, attempts, usage };
  const error = "failure" in outcome ? new Error(outcome.message) : undefined;
  for (const [name, times] of Object.entries(retries)) {
    const failure = name as ExtractionRetry["failure"];
    for (let count = 0; count < times; count++) onRetry({ failure, error });
  }
  return "failure" in outcome
    ? { ...facts, ok: false, failure: outcome.failure, error }
    : { ...facts, ok: true, object: outcome.object, ...changesOf(outcome) };
}

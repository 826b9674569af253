import type { FileJournal, Journal, ProviderBatchOptions } from "../../durable/index.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import { initModel } from "../../models/init-model.js";
import { extractAll } from "../../object/extract/extract-all.js";
import { connection } from "../commands/connection.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import type { AskedDocument } from "./documents.js";
import type { AskAll } from "./extract-run.js";
import { checkPostgres } from "./postgres.js";
import { runIdOf } from "./run-folder.js";
import { queuedResults } from "./tasks/queued-results.js";
import type { TaskCall } from "./tasks/task.js";
import { withoutUndefined } from "../../json/value.js";

export interface EngineValues {
  readonly engine: string | undefined;
  readonly db: string | undefined;
  readonly concurrency: number | undefined;
  readonly providerBatch: boolean;
  readonly retryErrors: boolean;
}

/**
 * Returns the function that asks about the documents of a run with its journal: in this process, or through workers.
 *
 * @throws {UsageError} if the options do not belong together
 * @throws {ModelError} if the model is unknown or has no key
 */
export async function engineOf(
  call: TaskCall,
  { engine, db, concurrency, providerBatch, retryErrors }: EngineValues,
  { env, signal }: Io,
): Promise<(journal: FileJournal) => Promise<AskAll>> {
  const { model: name, baseURL, schema, system, requestsPerMinute, tokensPerMinute } = call;
  if (engine !== undefined) {
    if (providerBatch) throw new UsageError("--provider-batch and --engine exclude each other.");
    if (engine !== "dbos") throw new UsageError(`--engine must be dbos, but is ${JSON.stringify(engine)}.`);
    if (db === undefined) throw new UsageError("--engine dbos needs --db postgres://….");
    checkPostgres(db);
    return async (journal) => {
      const runId = await runIdOf(journal);
      const options = { database: db, runId, call, signal, concurrency: concurrency ?? 1_000 };
      return (documents, onRetry) => queuedResults(documents, { ...options, onRetry });
    };
  }
  if (providerBatch && (requestsPerMinute !== undefined || tokensPerMinute !== undefined)) {
    throw new UsageError(
      "--provider-batch sends one batch at a time, so --rpm and --tpm have no effect. Leave them out.",
    );
  }
  const options = {
    ...{ schema, signal },
    ...withoutUndefined({ concurrency, system, requestsPerMinute, tokensPerMinute }),
    prompt: ({ prompt }: AskedDocument) => prompt,
  };
  const place = connection(name, env, baseURL);
  // The options are checked before the folder of the run is created.
  let journal: FileJournal | undefined;
  const later: Journal = { step: (step, run) => (journal as FileJournal).step(step, run) };
  const model = providerBatch
    ? await batchModel(name, { ...place, journal: later, retryErrors })
    : await initModel(name, place);
  return (folder) => {
    journal = folder;
    return Promise.resolve((documents, onRetry) => extractAll(documents, { ...options, model, onRetry }));
  };
}

async function batchModel(name: string, options: ProviderBatchOptions): Promise<ChatModel> {
  const { providerBatch } = await import("../../durable/index.js"); // an entry, so a file of the package
  return await providerBatch(name, options);
}

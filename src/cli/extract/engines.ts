import { join } from "node:path";
import { initModel, readModelName } from "../../models/init-model.js";
import { extractAll } from "../../object/extract/extract-all.js";
import { connection } from "../commands/connection.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import { BatchSender } from "./batch/batch-sender.js";
import type { AskedDocument } from "./documents.js";
import type { AskAll } from "./extract-run.js";
import { queuedResults } from "./tasks/queued-results.js";
import type { TaskCall } from "./tasks/task.js";

export interface EngineValues {
  readonly engine: string | undefined;
  readonly db: string | undefined;
  readonly concurrency: number | undefined;
  readonly providerBatch: boolean;
  readonly retryErrors: boolean;
  /** The file of the objects. */
  readonly out: string;
}

/**
 * Returns the function that asks about the documents of a run, by its id: in this process, or through workers.
 *
 * @throws {UsageError} if the options do not belong together
 * @throws {ModelError} if the model is unknown or has no key
 */
export async function engineOf(
  call: TaskCall,
  { engine, db, concurrency, providerBatch, retryErrors, out }: EngineValues,
  { env, signal }: Io,
): Promise<(runId: string) => AskAll> {
  if (providerBatch) return batches(call, { engine, concurrency, retryErrors, out }, { env, signal });
  if (engine === undefined) {
    const { model: name, baseURL, schema, system, requestsPerMinute, tokensPerMinute } = call;
    const options = {
      model: await initModel(name, connection(name, env, baseURL)),
      ...{ schema, signal, concurrency: concurrency ?? 8 },
      ...(system !== undefined && { system }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
      prompt: ({ prompt }: AskedDocument) => prompt,
    };
    return () => (documents, onRetry) => extractAll(documents, { ...options, onRetry });
  }
  if (engine !== "dbos") throw new UsageError(`--engine must be dbos, but is ${JSON.stringify(engine)}.`);
  if (db === undefined) throw new UsageError("--engine dbos needs --db postgres://….");
  return (runId) => (documents, onRetry) =>
    queuedResults(documents, {
      ...{ database: db, runId, call, signal, onRetry },
      concurrency: concurrency ?? 1_000,
    });
}

/** Sends requests as batches of the provider, which cost half, and may take a day. */
async function batches(
  { model: name, baseURL, schema, system, requestsPerMinute, tokensPerMinute }: TaskCall,
  { engine, concurrency = 10_000, retryErrors, out }: Omit<EngineValues, "db" | "providerBatch">,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<(runId: string) => AskAll> {
  const { provider } = readModelName(name);
  if (engine !== undefined) throw new UsageError("--provider-batch and --engine exclude each other.");
  if (provider !== "openai" && provider !== "anthropic") {
    throw new UsageError(`--provider-batch is for openai:… and anthropic:…, but the model is ${name}.`);
  }
  if (requestsPerMinute !== undefined || tokensPerMinute !== undefined) {
    throw new UsageError(
      "--provider-batch sends one batch at a time, so --rpm and --tpm have no effect. Leave them out.",
    );
  }
  const sender = new BatchSender(join(`${out}.run`, "batch.json"), { provider, signal, retryErrors });
  const never = { firstToken: Infinity, idle: Infinity };
  const model = await initModel(name, {
    ...connection(name, env, baseURL),
    ...{ fetch: sender.fetch, timeouts: never },
  });
  const options = {
    ...{ model, schema, concurrency, signal: AbortSignal.any([signal, sender.failed.signal]) },
    ...(system !== undefined && { system }),
    maxRequestRetries: 2,
    prompt: ({ prompt }: AskedDocument) => prompt,
  };
  return () => (documents, onRetry) => extractAll(documents, { ...options, onRetry });
}

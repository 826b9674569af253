import { initModel } from "../../models/init-model.js";
import { extractAll } from "../../object/extract/extract-all.js";
import { connection } from "../commands/connection.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import type { AskedDocument } from "./documents.js";
import type { AskAll } from "./extract-run.js";
import { queuedResults } from "./tasks/queued-results.js";
import type { TaskCall } from "./tasks/task.js";

export interface EngineValues {
  readonly engine: string | undefined;
  readonly db: string | undefined;
  readonly concurrency: number | undefined;
}

/**
 * How the documents are asked about, by the id of the run: in this process, or through workers.
 *
 * @throws {UsageError} if the options do not belong together
 * @throws {ModelError} if the model is unknown or has no key
 */
export async function engineOf(
  call: TaskCall,
  { engine, db, concurrency }: EngineValues,
  { env, signal }: Io,
): Promise<(runId: string) => AskAll> {
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

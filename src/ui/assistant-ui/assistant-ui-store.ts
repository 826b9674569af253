import { readLoggedBytes, bytesPatch, startOfBytes } from "../../serve/log/logged-bytes.js";
import { errorEnd, logError, ServeError } from "../../serve/errors.js";
import { RequestError } from "../../serve/http/request-error.js";
import type { LogWriter, RunStatus, StreamLog } from "../../serve/log/stream-log.js";
import { abortable } from "../../stream/operators/abortable.js";
import { isInstance } from "../../text/thrown.js";

/** A store of assistant-ui's resumable streams: its `ResumableStreamStore`. */
export interface AssistantUiStore {
  acquire(streamId: string): Promise<"producer" | "consumer">;
  acquireLease(
    streamId: string,
  ): Promise<{ role: "producer"; lease: { readonly token: string } } | { role: "consumer" }>;
  append(streamId: string, chunk: Uint8Array, lease?: { readonly token: string }): Promise<void>;
  finalize(
    streamId: string,
    status: "done" | "error",
    error?: string,
    lease?: { readonly token: string },
  ): Promise<boolean>;
  read(
    streamId: string,
    cursor: string,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly cursor: string; readonly chunk: Uint8Array }>;
  status(streamId: string): Promise<"streaming" | "done" | "error" | "missing">;
  delete(streamId: string): Promise<void>;
}

/**
 * Makes a log the store of assistant-ui's resumable streams, so that they use the same log as all other runs:
 * `createResumableStreamContext({ store: assistantUiStore(log) })` of `assistant-stream/resumable`.
 *
 * Each stream is a run of the log with the same id. The log decides how long a stream is kept (`ttl`), so `ttlMs` of
 * the context has no effect. `log.stop(id)` stops the producer, and its readers end.
 *
 * The methods reject with a `ServeError`: `unknown_run`, `taken_over` if the lease belongs to an earlier stream with
 * the same id, `too_many_runs`, `log_unavailable`; and with a `RequestError` for an id that is empty or too long.
 *
 * @example
 * ```ts
 * import { memoryLog } from "millrace/serve";
 * import { assistantUiStore } from "millrace/ui";
 *
 * const store = assistantUiStore(memoryLog());
 * console.log(await store.acquire("run-1"), await store.acquire("run-1")); // producer consumer
 * console.log(await store.status("run-1"), await store.status("run-2")); // streaming missing
 * ```
 */
export function assistantUiStore(log: StreamLog): AssistantUiStore {
  /** The writers of streams that are produced here. */
  const writers = new Map<string, LogWriter>();

  /** @throws {ServeError} if the stream is produced elsewhere, or not at all */
  const writerOf = (id: string, lease: { readonly token: string } | undefined): LogWriter => {
    const writer = writers.get(checked(id));
    if (writer === undefined) throw logError("unknown_run");
    if (lease !== undefined && lease.token !== writer.origin) throw logError("taken_over");
    return writer;
  };
  const acquireLease: AssistantUiStore["acquireLease"] = async (streamId) => {
    try {
      const writer = await log.create(checked(streamId));
      writers.set(streamId, writer);
      await writer.append(startOfBytes());
      return { role: "producer", lease: { token: writer.origin } };
    } catch (error) {
      if (isInstance(error, ServeError) && error.code === "id_taken") return { role: "consumer" };
      throw error;
    }
  };

  return {
    acquireLease,
    acquire: async (streamId) => (await acquireLease(streamId)).role,
    async append(streamId, chunk, lease) {
      const writer = writerOf(streamId, lease);
      writer.signal.throwIfAborted(); // the run was stopped, so the producer must end
      if (chunk.length > 0) await writer.append(bytesPatch(chunk));
    },
    async finalize(streamId, status, error = "The stream failed.", lease) {
      const writer = writers.get(checked(streamId));
      if (writer === undefined || (lease !== undefined && lease.token !== writer.origin)) return false;
      writers.delete(streamId);
      if (writer.signal.aborted) return false;
      await writer.end(
        status === "done"
          ? { type: "done", reason: "complete" }
          : errorEnd({ code: "run_failed", message: error }),
      );
      return true;
    },
    async *read(streamId, cursor, signal) {
      let at = /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0;
      const chunks = readLoggedBytes(at)(log.read(checked(streamId)));
      try {
        for await (const chunk of abortable<Uint8Array>(signal)(chunks)) {
          at += chunk.length;
          yield { cursor: String(at), chunk };
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    status: async (streamId) => statuses[await log.status(checked(streamId))],
    async delete(streamId) {
      writers.delete(checked(streamId));
      await log.expire(streamId);
    },
  };
}

const statuses = {
  unknown: "missing",
  active: "streaming",
  complete: "done",
  stopped: "done",
  failed: "error",
} as const satisfies Record<RunStatus, string>;

/** Clients send the id, so its length is limited. */
function checked(id: string): string {
  if (/^[\w.:-]{1,256}$/.test(id)) return id;
  throw new RequestError(
    "invalid_request",
    "The id of a stream needs 1 to 256 letters, digits, -, _, . or :.",
  );
}

import { onAbort } from "../../stream/time/on-abort.js";
import type { LogWriter, NextLogWriter, StreamLog } from "./stream-log.js";

/**
 * The same log, whose writers hold something from the call that creates them until their run has ended, they are
 * stopped or they leave.
 *
 * So a run that you write to a log inside `boundedHandler()` keeps the place of its request, whatever becomes of its
 * response. Responses of `toEventStream()`, `toResponse()` and `keepResponse()`, and the log of `runHandler()`, do so
 * without it.
 *
 * @param hold returns the function that releases it, which may be called again: the last argument of the handler
 *
 * @example
 * ```ts
 * import { boundedHandler, holdingLog, memoryLog } from "millrace/serve";
 *
 * const log = memoryLog();
 * const handle = boundedHandler(
 *   async (_body, _request, _info, hold) => {
 *     await holdingLog(log, hold).create(crypto.randomUUID()); // writes for a long time
 *     return new Response("Begun.");
 *   },
 *   { maxRuns: 1 },
 * );
 * const headers = { "content-type": "application/json" };
 * const post = () => new Request("http://localhost/", { method: "POST", headers, body: "{}" });
 * console.log((await handle(post())).status, (await handle(post())).status); // 200 429
 * ```
 */
export function holdingLog(log: StreamLog, hold: () => () => void): StreamLog {
  return {
    create: (id) => holding(() => log.create(id), hold, held),
    takeOver: (id) => holding(() => log.takeOver(id), hold, heldNext),
    read: (id, after) => log.read(id, after),
    status: (id) => log.status(id),
    stop: (id) => log.stop(id),
    expire: (id) => log.expire(id),
  };
}

async function holding<Writer>(
  open: () => Promise<Writer>,
  hold: () => () => void,
  wrap: (writer: Writer, release: () => void) => Writer,
): Promise<Writer> {
  const release = hold();
  try {
    return wrap(await open(), release);
  } catch (error) {
    release();
    throw error;
  }
}

function held(writer: LogWriter, release: () => void): LogWriter {
  const { origin, signal } = writer;
  const stopListening = onAbort(signal, release);
  if (signal.aborted) release();
  return {
    origin,
    signal,
    append: (patch) => writer.append(patch),
    async end(end) {
      try {
        await writer.end(end);
      } finally {
        stopListening();
        release();
      }
    },
  };
}

function heldNext(writer: NextLogWriter, release: () => void): NextLogWriter {
  const { value, ended } = writer;
  if (ended !== undefined) release();
  const leave = (): void => {
    release();
    writer.leave?.();
  };
  return { ...held(writer, release), value, ended, leave };
}

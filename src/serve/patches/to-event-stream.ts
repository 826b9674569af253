import type { PatchEnd, PatchEntry } from "../../json/patch/patch-entry.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { abortable } from "../../stream/operators/abortable.js";
import { describe } from "../../stream/describe.js";
import { from } from "../../stream/sources/from.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { errorEnd, stopped, ServeError } from "../errors.js";
import { type Encoder, encoders, type StreamFormat } from "./formats.js";
import { errorAsItem } from "../run/error-as-item.js";
import { type OnRunError, toShownFailure } from "../shown-error.js";
import type { LogWriter, StreamLog } from "../log/stream-log.js";
import { textResponse, type TextResponseOptions } from "../http/text-response.js";
import { noop } from "../../stream/core/result.js";

/**
 * Patches as the answer to a request: a web `Response`, for whatever serves those (`toNodeResponse()` for `node:http`). The
 * wire is described in docs/wire-protocol.md.
 *
 * - **Patches alone**: each is read when the client asks for more, so a slow client slows down the model. A client that
 *   leaves, or `signal`, closes the patches.
 * - **Patches, `log` and `id`**: the run goes into the log, at the model's pace and whoever reads; the response shows it from
 *   its first patch on, however far it is when the response is read.
 *   A client that leaves only leaves: the run is stopped by `log.stop(id)`.
 * - **`undefined`, `log` and `id`**: the response shows the run of the log, from `lastEventId` on. Without one, or with one
 *   that says nothing of this run, it begins with the whole value.
 *
 * Of an error the client gets an `error` event that shows nothing of the inside: `run_failed`, or the code and the message
 * of a `ServeError` (`unknown_run`, `id_taken`, …). `onError` hears of the real one, and of a `ServeError` that has a cause.
 *
 * @param patches what `.patches` of a parser or of an agent gives; with the option `append` they cost the least
 * @throws {TypeError} if there are neither patches nor a log, or a log without an id
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe } from "millrace";
 * import { toEventStream } from "millrace/serve";
 *
 * const patches = pipe(from(['{"name": "A', 'da"}']), jsonParser(undefined, { append: true }).patches);
 * console.log((await toEventStream(patches).text()).trim());
 * ```
 *
 * ```text prints
 * :
 *
 * id: 1
 * data: [{"op":"replace","path":"","value":{"name":"A"}}]
 *
 * id: 2
 * data: [{"op":"append","path":"/name","value":"da"}]
 *
 * event: done
 * data: {"reason":"complete"}
 * ```
 */
export function toEventStream(
  patches: AsyncIterable<JsonPatch> | undefined,
  options: EventStreamOptions = {},
): Response {
  const { log, id, lastEventId, signal, format = "sse" } = options;
  if ((log === undefined) !== (id === undefined)) {
    throw new TypeError("toEventStream() takes a log and the id of a run in it together.");
  }

  let entries: AsyncIterable<PatchEntry>;
  if (log !== undefined && id !== undefined) {
    const { produced, begun } = patches === undefined ? noRun : produce(patches, log, id, options);
    options.waitUntil?.(produced);
    const reading = begun.then((origin) => log.read(id, lastEventId ?? origin));
    reading.catch(noop); // the body tells of it, to who reads it
    entries = from<PatchEntry>(reading);
  } else if (patches !== undefined) entries = numbered(checked(patches));
  else throw new TypeError("toEventStream() takes patches, or a log and an id to read them from.");

  const encoder = encoders[format]();
  const abortableEntries = signal === undefined ? entries : abortable<PatchEntry>(signal)(entries);
  const whole = errorAsItem(abortableEntries, (error) => {
    if (signal?.aborted !== true || error !== signal.reason) return endOf(error, options);
    if (log !== undefined) throw error; // cut: the run goes on
    return stopped;
  });
  const { contentType, start, heartbeat: silence } = encoder;
  return textResponse(written(encoder)(whole), { contentType, start, silence }, options);
}

/** Entries that end without `done` or `error` are complete. */
function written(encoder: Encoder): Operator<PatchEntry, string> {
  return stage((emit, stop) => {
    let over = false;
    const end = (entry: PatchEnd): void => {
      over = true;
      const text = encoder.end(entry);
      if (text === undefined) throw new Error("The stream has not come to its end, and is cut.");
      emit(text);
    };
    return {
      next: (entry) => {
        if (over) return;
        if (entry.type === "patch") emit(encoder.patch(entry));
        else {
          end(entry);
          stop();
        }
      },
      end: () => {
        end({ type: "done", reason: "complete" });
      },
    };
  });
}

/** The options of `toEventStream()`. */
export interface EventStreamOptions extends TextResponseOptions {
  /** Where the run is kept, so that it survives its readers. */
  readonly log?: StreamLog;
  /** The id of the run in the log. Who knows it may read the run: let it be one that cannot be guessed. */
  readonly id?: string;
  /** The `Last-Event-ID` header of the request: what the client has. Of use with a log. */
  readonly lastEventId?: string | null | undefined;
  /**
   * Ends the response. Without a log that is the end of the run: the client gets `done`, `stopped`. With one, the run goes
   * on, and the response is cut, so that the client comes again.
   */
  readonly signal?: AbortSignal;
  /** Default: `sse`. */
  readonly format?: StreamFormat;
  /**
   * Hears of the error that ended the run. What it returns is what clients are shown of it; `undefined`:
   * `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError;
  /** On platforms that end with the response: what keeps the run going. Gets a promise of its end; only with a log. */
  readonly waitUntil?: (run: Promise<void>) => void;
}

const noRun = { produced: Promise.resolve(), begun: Promise.resolve(undefined) };

/** The run into the log. `begun` gives its origin, and rejects if the log refuses it; `produced` never does. */
function produce(
  patches: AsyncIterable<JsonPatch>,
  log: StreamLog,
  id: string,
  options: EventStreamOptions,
): { readonly begun: Promise<string>; readonly produced: Promise<void> } {
  const writing = log.create(id);
  const run = async (writer: LogWriter): Promise<void> => {
    let end: PatchEnd = { type: "done", reason: "complete" };
    try {
      for await (const patch of abortable<JsonPatch>(writer.signal)(checked(patches)))
        await writer.append(patch);
    } catch (error) {
      const isStop = writer.signal.aborted && !(error instanceof ServeError);
      end = isStop ? stopped : endOf(error, options);
    }
    try {
      await writer.end(end);
    } catch (error) {
      endOf(error, options); // for the operator alone: the run is over
    }
  };
  return { begun: writing.then(({ origin }) => origin), produced: writing.then(run, noop) };
}

function endOf(error: unknown, { onError }: EventStreamOptions): PatchEnd {
  if (!(error instanceof ServeError)) return errorEnd(toShownFailure(error, onError));
  if (error.cause !== undefined) onError?.(error);
  return errorEnd(error);
}

/** What the types promise, as a client would otherwise be sent what is no patch. */
const checked = stage<JsonPatch, JsonPatch>((emit) => ({
  next: (patch) => {
    if (!Array.isArray(patch))
      throw new TypeError(`A patch is an array of operations, but got ${describe(patch)}.`);
    emit(patch);
  },
}));

const numbered = stage<JsonPatch, PatchEntry>((emit) => {
  let number = 0;
  return { next: (patch) => emit({ type: "patch", id: String(++number), patch }) };
});

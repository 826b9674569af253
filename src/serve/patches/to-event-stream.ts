import type { PatchEnd, PatchEntry } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation, PatchesOnly } from "../../json/patch/patch.js";
import { abortable } from "../../stream/operators/abortable.js";
import { isObject, type JsonValue } from "../../json/value.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { excerpt } from "../../text/excerpt.js";
import { kindName } from "../../text/kind-name.js";
import { from } from "../../stream/sources/from.js";
import type { Operator } from "../../stream/operator.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { stage } from "../../stream/core/stage.js";
import { stopped } from "../errors.js";
import { type Encoder, encoders, formatFor, type StreamFormat } from "./formats.js";
import { inFrames } from "./in-frames.js";
import type { AnyPatch } from "./join-patches.js";
import type { OnRunError } from "../shown-error.js";
import { endOfRun, produceRun } from "../log/produce-run.js";
import type { StreamLog } from "../log/stream-log.js";
import { withRunBehind } from "../http/text-body.js";
import { textResponse, type TextResponseOptions } from "../http/text-response.js";
import { noop } from "../../stream/core/result.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Streams patches as a web `Response`. For `node:http`, use `nodeHandler()`. docs/protocols/wire-protocol.md describes
 * the format, and docs/protocols/compact-wire.md the one that our own clients accept.
 *
 * - **Patches alone**: each patch is pulled when the client reads, so a slow client slows down the model. Disconnecting
 *   or aborting `signal` closes the patches.
 * - **Patches, `log` and `id`**: the run is written to the log at the model's pace. The response starts at the first
 *   patch. A disconnecting client does not stop the run; `log.stop(id)` does.
 * - **`undefined`, `log` and `id`**: the response reads the run from the log, starting after `lastEventId`. Without
 *   one, or with an id of another run, it starts with the whole value.
 *
 * If the run fails, the client receives an `error` event without internal details: words for users such as
 * those of `rate_limited`, or the code and
 * message of a `ServeError` (`unknown_run`, `id_taken`, …). `onError` receives the original error, and a `ServeError`
 * with a cause.
 *
 * @param patches the `.patches` of a parser or an agent; smallest with the option `append`
 * @throws {TypeError} if both patches and log are missing, or only one of log and id is set, or for an unknown option or
 *   format
 * @throws {RangeError} if `heartbeat` is out of range
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
export function toEventStream<Patches extends AsyncIterable<unknown> | undefined>(
  patches: Patches & PatchesOnly<Patches>,
  options?: EventStreamOptions,
): Response;
export function toEventStream(
  patches: AsyncIterable<readonly AnyPatchOperation[]> | undefined,
  options: EventStreamOptions = {},
): Response {
  checkOptions("toEventStream()", options, optionNames);
  const { log, id, lastEventId, signal, accept, clock = systemClock } = options;
  const { format = formatFor(accept), flush = format === "compact" ? "frame" : "patch" } = options;
  if ((log === undefined) !== (id === undefined)) {
    throw new TypeError("toEventStream() needs both log and id, or neither: id names the run in the log.");
  }
  if (!Object.hasOwn(encoders, format)) {
    throw new TypeError(
      `toEventStream() has no format ${JSON.stringify(excerpt(format, 60))}. Its formats are ${Object.keys(encoders).join(", ")}.`,
    );
  }
  if (!Object.hasOwn(pacings, flush)) {
    throw new TypeError(
      `flush of toEventStream() is "frame" or "patch", not ${JSON.stringify(excerpt(flush, 60))}.`,
    );
  }
  const paced = pacings[flush];
  const encoder = encoders[format]();
  const failed = (error: unknown): string => {
    if (isInstance(error, CutError)) throw error;
    if (signal?.aborted !== true || error !== signal.reason)
      return endText(encoder, endOfRun(error, options.onError));
    if (log !== undefined) throw error; // cut the response: the run continues
    return endText(encoder, stopped);
  };
  const untilAborted = <T>(source: AsyncIterable<T>): AsyncIterable<T> =>
    signal === undefined ? source : abortable<T>(signal)(source);
  const last = (): string => (log === undefined ? endText(encoder, complete) : "");
  // Refuses wrong options before the run begins.
  const respond = textResponse({ ...encoder, last, failed }, options);

  if (log === undefined || id === undefined) {
    if (patches === undefined)
      throw new TypeError("toEventStream() needs patches, or a log and an id to read them from.");
    let number = 0;
    const write = (patch: AnyPatch): string => encoder.patch({ type: "patch", id: String(++number), patch });
    return respond(paced(clock, write)(untilAborted(patches)));
  }
  const { produced, begun } =
    patches === undefined ? noRun : produceRun(paced(clock, itself)(patches), log, id, options.onError);
  options.waitUntil?.(produced);
  const reading = begun.then((origin) => log.read(id, lastEventId ?? origin));
  reading.catch(noop); // reported to the reader of the body
  const response = respond(written(encoder)(untilAborted(from<PatchEntry>(reading))));
  return patches === undefined ? response : withRunBehind(response, produced);
}

const complete: PatchEnd = { type: "done", reason: "complete" };

/** Encodes entries. A stream without a final `done` or `error` is complete. */
function written(encoder: Encoder): Operator<PatchEntry, string> {
  return stage((emit, stop) => {
    let over = false;
    return {
      next: (entry) => {
        if (over) return;
        over = entry.type !== "patch";
        emit(entry.type === "patch" ? encoder.patch(entry) : endText(encoder, entry));
        if (over) stop();
      },
      end: () => {
        emit(endText(encoder, complete));
      },
    };
  });
}

/** @throws {CutError} if the format has no text for this end */
function endText(encoder: Encoder, end: PatchEnd): string {
  const text = encoder.end(end);
  if (text === undefined) throw new CutError("The stream was cut before its end.");
  return text;
}

class CutError extends Error {}

/** The options of `toEventStream()`. */
export interface EventStreamOptions extends TextResponseOptions {
  /** The log that keeps the run, so that it survives its readers. */
  readonly log?: StreamLog;
  /** The id of the run in the log. Anyone who knows it can read the run, so make it unguessable. */
  readonly id?: string;
  /** The `Last-Event-ID` header of the request. Used with a log. */
  readonly lastEventId?: string | null | undefined;
  /**
   * Ends the response. Without a log this also ends the run, and the client receives `done` with `stopped`. With a log
   * the run continues, and the response is cut so that the client reconnects.
   */
  readonly signal?: AbortSignal;
  /** The `Accept` header of the request. Chooses `compact` for the clients of this package, otherwise `sse`. */
  readonly accept?: string | null | undefined;
  /** Default: by `accept`. */
  readonly format?: StreamFormat;
  /**
   * `frame`: at most one event in 16 ms, with what was written meanwhile, or in up to 64 ms while more than 250
   * responses of the process wait. The first field, the end and errors are sent at once. `patch`: each patch is an
   * event. With a log, it holds for all readers of the run. Default: `frame` for `compact`, otherwise `patch`.
   */
  readonly flush?: "frame" | "patch";
  /**
   * Receives the error that ended the run and may return what clients see. Default: words for users by the kind of the error, such as
   * `rate_limited`; otherwise `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError;
  /** Keeps the run alive on platforms that end with the response. Receives a promise of its end. Used with a log. */
  readonly waitUntil?: (run: Promise<void>) => void;
}

const optionNames = {
  log: true,
  id: true,
  lastEventId: true,
  signal: true,
  accept: true,
  format: true,
  flush: true,
  heartbeat: true,
  headers: true,
  onError: true,
  waitUntil: true,
  clock: true,
} satisfies OptionNames<EventStreamOptions>;

const noRun = { produced: Promise.resolve(), begun: Promise.resolve(undefined) };

/** Checks at run time what the types promise, so that clients never receive an invalid patch. */
function check(patch: unknown): void {
  const operations = Array.isArray(patch) ? (patch as JsonValue[]) : undefined;
  const wrong = operations?.findIndex((it) => !isObject(it));
  if (wrong === -1) return;
  const found = wrong === undefined ? kindName(patch) : `an array with ${kindName(operations?.[wrong])}`;
  throw new TypeError(
    `A patch must be an array of operations, but got ${found}. Write .patches of the parser, call or agent.`,
  );
}

const pacings = {
  frame: (clock, write) => inFrames(clock, check, write),
  patch: (_, write) =>
    stage((emit) => ({
      next: (patch) => {
        check(patch);
        emit(write(patch));
      },
    })),
} satisfies Record<string, Pacing>;

/** Passes on patches at the pace of the response, as what `write` makes of them. */
type Pacing = <Out>(clock: Clock, write: (patch: AnyPatch) => Out) => Operator<AnyPatch, Out>;

function itself(patch: AnyPatch): AnyPatch {
  return patch;
}

import { ModelError } from "../../models/contract/errors.js";
import { errorFromJson, type TranscriptLine } from "../../models/transcript.js";
import { systemClock, type Clock } from "../../stream/time/clock.js";
import { end, outlet, wait } from "../../stream/core/outlet.js";
import { readTranscript, type TranscriptInput } from "./read-transcript.js";

/** The options of `replay()`. */
export interface ReplayOptions {
  /** How many times as fast as it was: 1 is as recorded, `Infinity` at once. Default: 1. */
  readonly speed?: number | undefined;
  /** Default: `systemClock`. */
  readonly clock?: Clock | undefined;
}

/**
 * The stream that `record()` wrote, with its items, its times and its end: an error is thrown again, a `ModelError` as a
 * `ModelError`. Of a stream that its reader had left, the replay ends with a `ModelError` `cut`, as nobody knows what
 * would have followed. A slow consumer misses nothing: what is due comes at once.
 *
 * The transcript is read, and checked, at the first `next()`. It may be played more than once, at the same time too; a
 * stream is read only once, and kept.
 *
 * @throws {RangeError} if `speed` is not more than 0
 * @throws {TranscriptError} for what is no transcript, or was cut
 *
 * @example
 * ```ts
 * import { collect, from, pipe, record } from "millrace";
 * import { replay } from "millrace/testing";
 *
 * const lines: string[] = [];
 * await collect(pipe(from([{ op: "add" }, { op: "replace" }]), record((line) => lines.push(line))));
 * console.log(await collect(replay(lines, { speed: Infinity }))); // [{ op: "add" }, { op: "replace" }]
 * ```
 */
export function replay<T>(
  transcript: TranscriptInput,
  { speed = 1, clock = systemClock }: ReplayOptions = {},
): AsyncIterable<T> {
  if (!(speed > 0)) throw new RangeError(`The speed of a replay must be more than 0, but is ${speed}.`);
  let reading: Promise<TranscriptLine[]> | undefined;
  return outlet((wake) => {
    let state: "closed" | "asleep" | "reading" | "playing" | { readonly error: unknown } = "asleep";
    let lines: readonly TranscriptLine[] = [];
    let at = 0;
    let start = 0;
    let timer: { readonly handle: unknown } | undefined;

    const read = (): void => {
      state = "reading";
      start = clock.now();
      (reading ??= readTranscript(transcript)).then(
        (found) => {
          if (state !== "reading") return;
          lines = found;
          state = "playing";
          wake();
        },
        (error: unknown) => {
          if (state !== "reading") return;
          state = { error };
          wake();
        },
      );
    };

    return {
      poll() {
        if (state === "asleep") read();
        if (typeof state === "object") throw state.error;
        const line = lines[at];
        if (line === undefined) return wait;
        const early = line.t / speed - (clock.now() - start);
        if (early > 0) {
          timer ??= {
            handle: clock.setTimeout(() => {
              timer = undefined;
              wake();
            }, early),
          };
          return wait;
        }
        at++;
        return itemOf(line) as T | typeof end;
      },
      async close() {
        state = "closed";
        if (timer !== undefined) clock.clearTimeout(timer.handle);
      },
    };
  });
}

function itemOf(line: TranscriptLine): unknown {
  if ("value" in line) return line.value;
  if ("error" in line) throw errorFromJson(line.error);
  if ("end" in line) return end;
  throw new ModelError("cut", "The reader of the recorded stream had left it here: more is not known.");
}

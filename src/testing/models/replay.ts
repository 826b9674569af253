import { ModelError } from "../../models/contract/errors.js";
import { errorFromJson, type TranscriptLine } from "../../models/transcript.js";
import { systemClock, type Clock } from "../../stream/time/clock.js";
import { end, outlet, wait } from "../../stream/core/outlet.js";
import { readTranscript, type TranscriptInput } from "./read-transcript.js";

/** The options of `replay()`. */
export interface ReplayOptions {
  /** The speed relative to the recording. `Infinity` waits for nothing. Default: 1. */
  readonly speed?: number | undefined;
  /** Default: `systemClock`. */
  readonly clock?: Clock | undefined;
}

/**
 * Replays a stream recorded by `record()` with its items, times and end. A recorded error is thrown again, a
 * `ModelError` as a `ModelError`. If the reader left the recorded stream early, the replay ends with a `ModelError`
 * `cut`. A slow consumer loses no items: items that are due come at once.
 *
 * The first `next()` reads and checks the transcript. It can be replayed more than once, also at the same time. An
 * input stream is read once and kept in memory.
 *
 * @throws {RangeError} if `speed` is not greater than 0
 * @throws {TranscriptError} from the stream, if the input is not a transcript or was cut
 *
 * @example
 * ```ts
 * import { collect, from, pipe } from "millrace";
 * import { record } from "millrace/models";
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
  if (!(speed > 0)) throw new RangeError(`speed of replay must be greater than 0, but is ${speed}.`);
  let reading: Promise<TranscriptLine[]> | undefined;
  return outlet((wake) => {
    let state: "closed" | "asleep" | "reading" | "playing" | { readonly error: unknown } = "asleep";
    let lines: readonly TranscriptLine[] = [];
    let at = 0;
    let start = 0;
    let timer: unknown;

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
          timer ??= clock.setTimeout(() => {
            timer = undefined;
            wake();
          }, early);
          return wait;
        }
        at++;
        return itemOf(line) as T | typeof end;
      },
      async close() {
        state = "closed";
        clock.clearTimeout(timer);
      },
    };
  });
}

function itemOf(line: TranscriptLine): unknown {
  if ("value" in line) return line.value;
  if ("error" in line) throw errorFromJson(line.error);
  if ("end" in line) return end;
  throw new ModelError("cut", "The recording ends here, because its reader left the stream early.");
}

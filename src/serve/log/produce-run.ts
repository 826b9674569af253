import type { PatchEnd } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { noop } from "../../stream/core/result.js";
import { abortable } from "../../stream/operators/abortable.js";
import { isInstance } from "../../text/thrown.js";
import { errorEnd, ServeError, stopped } from "../errors.js";
import { report } from "../report.js";
import { type OnRunError, toShownFailure } from "../shown-error.js";
import { withReason } from "../with-reason.js";
import type { LogWriter, StreamLog } from "./stream-log.js";

/**
 * Writes a run to the log. `begun` resolves with its origin, or rejects if the log refuses it. `produced` never
 * rejects.
 */
export function produceRun(
  patches: AsyncIterable<readonly AnyPatchOperation[]>,
  log: StreamLog,
  id: string,
  onError: OnRunError | undefined,
): { readonly begun: Promise<string>; readonly produced: Promise<void> } {
  const writing = log.create(id);
  const run = async (writer: LogWriter): Promise<void> => {
    let end: PatchEnd = { type: "done", reason: "complete" };
    try {
      for await (const patch of abortable<readonly AnyPatchOperation[]>(writer.signal)(patches))
        await writer.append(patch);
    } catch (error) {
      const isStop = writer.signal.aborted && !isInstance(error, ServeError);
      end = isStop ? stopped : endOfRun(error, onError);
    }
    try {
      await writer.end(end);
    } catch (error) {
      endOfRun(error, onError); // reported to the operator only: the run is over
    }
  };
  return { begun: writing.then(({ origin }) => origin), produced: writing.then(run, noop) };
}

/** The end that readers see of a run that failed with this error. */
export function endOfRun(error: unknown, onError: OnRunError | undefined): PatchEnd {
  if (!isInstance(error, ServeError)) return errorEnd(toShownFailure(error, onError));
  const { code, message, cause } = error;
  if (cause === undefined) return errorEnd(error);
  report(onError, error);
  return errorEnd({ code, message: withReason(message, cause) });
}

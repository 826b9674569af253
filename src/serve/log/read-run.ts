import type { PatchEntry } from "../../json/patch/patch-entry.js";
import type { Failure } from "../../stream/core/inlet.js";
import { end, outlet, wait } from "../../stream/core/outlet.js";
import type { LoggedRun } from "./logged-run.js";

/**
 * Reads a run: the events after `after`, or the whole value and the events after that.
 *
 * @param source provides the run at the first pull
 */
export function readRun(source: RunSource, after: string | undefined): AsyncIterable<PatchEntry> {
  return outlet<PatchEntry>((wake) => {
    let joining: Promise<void> | undefined;
    let run: LoggedRun | undefined;
    let failure: Failure | undefined;
    /** Number of patches the reader has. `undefined` if it needs the whole value. */
    let position: number | undefined;
    let over = false;

    const join = async (): Promise<void> => {
      try {
        const joined = await source.join();
        if (over) return;
        run = joined;
        run.join(wake);
        position = run.length === 0 ? 0 : run.positionOf(after);
      } catch (error) {
        failure = { error };
      }
      wake();
    };

    return {
      poll() {
        if (over) return end;
        if (failure !== undefined) throw failure.error;
        joining ??= join();
        if (run === undefined) return wait;
        if (position !== undefined && position < run.length) {
          const event = run.eventAt(position++);
          if (event !== undefined) return event;
          position = undefined;
        }
        if (position === undefined) {
          position = run.length;
          return run.whole();
        }
        if (run.end === undefined) return wait;
        over = true;
        return run.end;
      },
      close() {
        over = true;
        run?.leave(wake);
        if (joining !== undefined) source.leave?.();
        return Promise.resolve();
      },
    };
  });
}

/** Gives one reader access to a run. */
export interface RunSource {
  /** Returns the run. Called once, at the first pull. A rejection ends the reader with that error. */
  join(): Promise<LoggedRun>;
  /**
   * Called once when the reader no longer needs the run, possibly before `join` has settled. Not called without `join`.
   */
  leave?(): void;
}

import type { PatchEntry } from "../../json/patch/patch-entry.js";
import type { Failure } from "../../stream/core/inlet.js";
import { end, outlet, wait } from "../../stream/core/outlet.js";
import type { LoggedRun } from "./logged-run.js";

/**
 * One reader of a run: what follows the event that it names, or the whole value and what follows that.
 *
 * @param seat where the reader gets the run from, as soon as it is first asked
 */
export function readRun(source: RunSource, after: string | undefined): AsyncIterable<PatchEntry> {
  return outlet<PatchEntry>((wake) => {
    let joining: Promise<void> | undefined;
    let run: LoggedRun | undefined;
    let failure: Failure | undefined;
    /** How many patches the reader has; none if it is to get the whole value. */
    let position: number | undefined;
    let over = false;

    const join = async (): Promise<void> => {
      try {
        const joined = await source.join();
        if (over) return;
        run = joined;
        run.readers.add(wake);
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
        run?.readers.delete(wake);
        if (joining !== undefined) source.leave?.();
        return Promise.resolve();
      },
    };
  });
}

/** A reader's place at a run. */
export interface RunSource {
  /** The run. Called once, with the first item that is asked for; what it rejects with ends the reader. */
  join(): Promise<LoggedRun>;
  /** The reader needs the run no more. Called once if `join` was, also before that has settled. */
  leave?(): void;
}

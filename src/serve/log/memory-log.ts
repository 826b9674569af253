import { type Clock, systemClock } from "../../stream/time/clock.js";
import { milliseconds, wholeNumber } from "../../stream/numbers.js";
import { errorEnd, stopped, logError } from "../errors.js";
import { LoggedRun, randomToken } from "./logged-run.js";
import { readRun } from "./read-run.js";
import type { LogWriter, StreamLog } from "./stream-log.js";

/**
 * A log in the memory of this process: for one server, and for tests.
 *
 * A run that has ended is kept for `ttl` and then let go of, with the next call of any method; the log has no timers.
 *
 * @throws {RangeError} if a number is out of its range
 *
 * @example
 * ```ts
 * import { from } from "millrace";
 * import { memoryLog, toEventStream } from "millrace/serve";
 *
 * const log = memoryLog();
 * const patches = from([[{ op: "replace" as const, path: "", value: { name: "Ada" } }]]);
 * await toEventStream(patches, { log, id: "run-1" }).text();
 * console.log((await toEventStream(undefined, { log, id: "run-1", format: "json-patch" }).text()).trim());
 * ```
 *
 * ```text prints
 * [{"op":"replace","path":"","value":{"name":"Ada"}}]
 * ```
 */
export function memoryLog(options: MemoryLogOptions = {}): StreamLog {
  const {
    ttl = 300_000,
    maxRuns = 1_000,
    window = 10_000,
    clock = systemClock,
    createToken = randomToken,
  } = options;
  milliseconds("ttl of memoryLog", ttl);
  wholeNumber("maxRuns of memoryLog", maxRuns, 1);
  wholeNumber("window of memoryLog", window, 1);
  const runs = new Map<string, LoggedRun>();
  /** Those that have ended, the first first. */
  const ended = new Set<LoggedRun>();

  const forget = (run: LoggedRun): void => {
    runs.delete(run.id);
    ended.delete(run);
  };
  const find = (id: string): LoggedRun | undefined => {
    for (const run of ended) {
      if (clock.now() - run.endedAt < ttl) break;
      forget(run);
    }
    return runs.get(id);
  };
  const finish = (run: LoggedRun, last: NonNullable<LoggedRun["end"]>): void => {
    if (run.end !== undefined) return;
    run.end = last;
    run.endedAt = clock.now();
    if (runs.get(run.id) === run) ended.add(run);
    run.wake();
  };

  return {
    async create(id): Promise<LogWriter> {
      if (find(id) !== undefined) throw logError("id_taken");
      const [oldest] = ended;
      if (runs.size >= maxRuns && oldest !== undefined) forget(oldest);
      if (runs.size >= maxRuns) throw logError("too_many_runs");
      const run = new LoggedRun(id, createToken(), window);
      runs.set(id, run);
      return {
        origin: run.origin,
        signal: run.controller.signal,
        append: async (patch) => {
          if (run.end === undefined) run.append(patch);
        },
        end: async (last) => {
          finish(run, last);
        },
      };
    },
    read(id, after) {
      const join = async (): Promise<LoggedRun> => {
        const run = find(id);
        if (run === undefined) throw logError("unknown_run");
        return run;
      };
      return readRun({ join }, after);
    },
    async stop(id): Promise<boolean> {
      const run = find(id);
      if (run === undefined || run.end !== undefined) return false;
      run.controller.abort();
      finish(run, stopped);
      return true;
    },
    async expire(id): Promise<boolean> {
      const run = find(id);
      if (run === undefined) return false;
      forget(run);
      run.controller.abort();
      finish(run, errorEnd(logError("expired")));
      return true;
    },
  };
}

/** The options of `memoryLog()`. */
export interface MemoryLogOptions {
  /** How long a run is kept after its end, in milliseconds. Default: 300,000, five minutes. */
  readonly ttl?: number;
  /** How many runs are kept. To begin one more, the one that ended first is let go of. Default: 1,000. */
  readonly maxRuns?: number;
  /**
   * How many patches of a run are kept at least, to go on from; at most, it is twice as many. Who is further behind gets the
   * whole value. Default: 10,000.
   */
  readonly window?: number;
  /** The machine's clock, by default. */
  readonly clock?: Clock;
  /** Tells runs of the same id apart. By default, random. */
  readonly createToken?: () => string;
}

import { type Clock, systemClock } from "../../stream/time/clock.js";
import { milliseconds, wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { errorEnd, stopped, logError } from "../errors.js";
import { LoggedRun, randomToken } from "./logged-run.js";
import { readRun } from "./read-run.js";
import {
  type LogWriter,
  type NextLogWriter,
  type RunStatus,
  runStatus,
  type StreamLog,
} from "./stream-log.js";

const optionNames = {
  ttl: true,
  maxRuns: true,
  window: true,
  clock: true,
  createToken: true,
} satisfies OptionNames<MemoryLogOptions>;

/**
 * Creates a log in the memory of this process, for a single server and for tests.
 *
 * A finished run is kept for `ttl` and removed by the next call of any method. The log uses no timers.
 *
 * @throws {RangeError} if a number is out of range
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
  checkOptions("memoryLog()", options, optionNames);
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
  /** Finished runs, oldest first. */
  const ended = new Set<LoggedRun>();
  /** Runs whose writer has left. One that is stopped then is kept until its next writer knows, or for its place. */
  const left = new Set<LoggedRun>();

  const forget = (run: LoggedRun): void => {
    runs.delete(run.id);
    ended.delete(run);
    left.delete(run);
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
    if (runs.get(run.id) === run && !left.has(run)) ended.add(run);
    run.wake();
  };

  const begin = (id: string): LoggedRun => {
    if (runs.size >= maxRuns) {
      const [oldest = [...left].find(({ end }) => end !== undefined)] = ended;
      if (oldest === undefined) throw logError("too_many_runs");
      forget(oldest);
    }
    const run = new LoggedRun(id, createToken(), window);
    runs.set(id, run);
    return run;
  };
  const writerOf = (run: LoggedRun): LogWriter => {
    const { controller } = run;
    const fence = (): void => {
      if (run.controller !== controller) throw logError("taken_over");
    };
    return {
      origin: run.origin,
      signal: controller.signal,
      append: async (patch) => {
        fence();
        if (run.end === undefined) run.append(patch);
      },
      end: async (last) => {
        fence();
        finish(run, last);
      },
    };
  };

  return {
    async create(id): Promise<LogWriter> {
      if (find(id) !== undefined) throw logError("id_taken");
      return writerOf(begin(id));
    },
    async takeOver(id): Promise<NextLogWriter> {
      const run = find(id) ?? begin(id);
      run.controller.abort(logError("taken_over"));
      const controller = (run.controller = new AbortController());
      if (left.delete(run) && run.end !== undefined) {
        run.endedAt = clock.now();
        ended.add(run);
      }
      const leave = (): void => {
        if (run.controller === controller && run.end === undefined) left.add(run);
      };
      return { ...writerOf(run), value: run.value, ended: run.end, leave };
    },
    read(id, after) {
      const join = async (): Promise<LoggedRun> => {
        const run = find(id);
        if (run === undefined) throw logError("unknown_run");
        return run;
      };
      return readRun({ join }, after);
    },
    async status(id): Promise<RunStatus> {
      const run = find(id);
      return run === undefined ? "unknown" : runStatus(run.end);
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
  /** Milliseconds for which a finished run is kept. Default: 300,000 (five minutes). */
  readonly ttl?: number;
  /** Maximum number of runs. A new run removes the oldest finished one. Default: 1,000. */
  readonly maxRuns?: number;
  /**
   * Minimum number of patches kept per run for resuming; at most twice as many are kept. A reader further behind
   * receives the whole value. Default: 10,000.
   */
  readonly window?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Creates a token that distinguishes runs with the same id. Default: random. */
  readonly createToken?: () => string;
}

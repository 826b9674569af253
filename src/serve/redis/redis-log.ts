import { type Clock, systemClock } from "../../stream/time/clock.js";
import type { PatchEnd } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { milliseconds, wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { stopped, logError } from "../errors.js";
import { type LoggedRun, randomToken } from "../log/logged-run.js";
import { readRun } from "../log/read-run.js";
import {
  type LogWriter,
  type NextLogWriter,
  type RunStatus,
  runStatus,
  type StreamLog,
} from "../log/stream-log.js";
import { getOrInsert } from "../../tree/made-once.js";
import { connectionOf, type RedisClient } from "./connection.js";
import { Follower } from "./follower.js";
import { endOf } from "./reply.js";
import { expireScript, statusScript, stopScript } from "./scripts.js";
import { type RedisNames, RedisStore } from "./store.js";
import { Subscriptions } from "./subscriptions.js";
import { RedisWriter } from "./writer.js";

const optionNames = {
  prefix: true,
  ttl: true,
  lease: true,
  takeOverTimeout: true,
  reconnectTimeout: true,
  maxRuns: true,
  window: true,
  clock: true,
  random: true,
  createToken: true,
} satisfies OptionNames<RedisLogOptions>;

/**
 * Creates a log in Redis (6.2 or later): a run is produced on one machine and can be read and stopped on any other.
 * Pass your client of `redis` or `ioredis`. The log opens one more connection with its `duplicate()`, to receive
 * messages.
 *
 * - **Producer**: it renews a lease while it runs. If it dies, readers receive the error `run_lost` when the lease
 *   ends.
 * - **Redis unavailable**: reads and writes are retried for `reconnectTimeout`. Then the run ends on this machine with
 *   `log_unavailable`, and its source is closed. If Redis returns without its data, the error is `run_lost`.
 * - **Expiry**: the keys of a run expire `ttl` after its end, or after its lease if it was lost.
 *
 * All logs on one Redis must have the same options. docs/reference/redis.md describes the keys and messages.
 *
 * @throws {RangeError} if a number is out of range, or `reconnectTimeout` is longer than `lease`
 * @throws {TypeError} for another client, such as a cluster
 *
 * @example
 * ```ts no-run
 * import { Redis } from "ioredis";
 * import { redisLog } from "millrace/redis";
 * import { toEventStream } from "millrace/serve";
 *
 * const log = redisLog(new Redis());
 * toEventStream(undefined, { log, id: "run-1" });
 * ```
 */
export function redisLog(client: RedisClient, options: RedisLogOptions = {}): RedisLog {
  checkOptions("redisLog()", options, optionNames);
  const lease = time("lease", options.lease ?? 15_000);
  const reconnectTimeout = time("reconnectTimeout", options.reconnectTimeout ?? Math.min(10_000, lease));
  if (reconnectTimeout > lease) {
    throw new RangeError(
      `reconnectTimeout of redisLog must not be longer than lease, but is ${reconnectTimeout} with a lease of ${lease}: ` +
        "a producer would wait for Redis after its run is lost.",
    );
  }
  const takeOverTimeout = time("takeOverTimeout", options.takeOverTimeout ?? 3_600_000);
  const closed = new AbortController();
  const connection = connectionOf(client, "redisLog()");
  const subscriptions = new Subscriptions(connection);
  const store = new RedisStore(connection, subscriptions, {
    prefix: options.prefix ?? "millrace:",
    ttl: time("ttl", options.ttl ?? 300_000),
    lease,
    reconnectTimeout,
    maxRuns: wholeNumber("maxRuns of redisLog", options.maxRuns ?? 10_000, 1),
    window: wholeNumber("window of redisLog", options.window ?? 1_000, 1),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    createToken: options.createToken ?? randomToken,
    closed: closed.signal,
  });
  /** Runs produced here, and runs of other machines read here. */
  const writers = new Map<string, RedisWriter>();
  const followers = new Map<string, Follower>();
  /** Writers of runs that others may continue. Readers here follow Redis, because they outlive the writer. */
  const successors = new Set<RedisWriter>();

  const follow = (id: string): Follower =>
    getOrInsert(followers, id, () => new Follower(store, id, (it) => remove(followers, id, it)));
  /** Delivers a message on this machine without waiting for Redis. */
  const notify = ({ readers, producer }: RedisNames, kind: string, token: string): boolean => {
    if (token === "") return false;
    for (const channel of [producer, readers]) subscriptions.message(channel, `${kind} ${token}`);
    return true;
  };

  return {
    async create(id): Promise<LogWriter> {
      const writer = new RedisWriter(store, id, lease, (it) => remove(writers, id, it));
      await writer.create();
      if (writer.run.end === undefined) writers.set(id, writer);
      return writer;
    },
    async takeOver(id): Promise<NextLogWriter> {
      const writer = new RedisWriter(store, id, takeOverTimeout, (it) => successors.delete(it));
      await writer.takeOver();
      const { run, origin, signal } = writer;
      if (run.end === undefined) successors.add(writer);
      const write = {
        append: (patch: readonly AnyPatchOperation[]) => writer.append(patch),
        end: (last: PatchEnd) => writer.end(last),
        leave: () => {
          writer.leave();
        },
      };
      return { ...write, origin, signal, value: run.value, ended: run.end };
    },
    read(id, after) {
      let follower: Follower | undefined;
      const join = async (): Promise<LoggedRun> => writers.get(id)?.run ?? (follower = follow(id)).join();
      return readRun({ join, leave: () => follower?.leave() }, after);
    },
    async status(id): Promise<RunStatus> {
      const state = await store.ask(statusScript, store.namesOf(id), []);
      return states.has(state) ? (state as RunStatus) : runStatus(endOf(state));
    },
    async stop(id): Promise<boolean> {
      const names = store.namesOf(id);
      const args = [store.options.ttl, names.readers, names.producer, JSON.stringify(stopped)];
      return notify(names, "stopped", await store.ask(stopScript, names, args));
    },
    async expire(id): Promise<boolean> {
      const names = store.namesOf(id);
      return notify(names, "expired", await store.ask(expireScript, names, [names.readers, names.producer]));
    },
    async close(): Promise<void> {
      await Promise.all([...writers.values()].map((writer) => writer.abandon()));
      for (const writer of [...successors]) writer.leave();
      closed.abort();
      for (const follower of [...followers.values()]) follower.fail(logError("log_unavailable"));
      subscriptions.close();
    },
  };
}

/** A log in Redis. */
export interface RedisLog extends StreamLog {
  /**
   * Closes the log and its own connection, but not the client. Runs produced here end with `run_lost` for all readers,
   * except those that were taken over: their readers wait for the next writer.
   * Readers here receive `log_unavailable`. The log cannot be used afterwards.
   */
  close(): Promise<void>;
}

/** The options of `redisLog()`. Durations are in milliseconds. */
export interface RedisLogOptions {
  /** Prefix of all keys and channels. Default: `millrace:`. */
  readonly prefix?: string;
  /** How long a finished run is kept. Default: 300,000 (five minutes). */
  readonly ttl?: number;
  /**
   * How long a run stays active without a renewal by its producer, which renews after each third. The data of a lost
   * run is kept for `ttl`. Default: 15,000.
   */
  readonly lease?: number;
  /**
   * How long readers wait for the next writer of a run that was taken over, as those of `durable()` are, after its
   * writer has died or left. Default: 3,600,000 (an hour).
   */
  readonly takeOverTimeout?: number;
  /** How long to wait for an unavailable Redis, at most `lease`. Default: 10,000, or `lease` if that is shorter. */
  readonly reconnectTimeout?: number;
  /** Maximum number of runs. A new run removes a finished one. Default: 10,000. */
  readonly maxRuns?: number;
  /**
   * Minimum number of patches kept per run for resuming; at most twice as many are kept. A reader further behind
   * receives the whole value, which the producer stores once per `window` patches. Default: 1,000.
   */
  readonly window?: number;
  /** Default: the system clock. Leases and expiry use the clock of Redis. */
  readonly clock?: Clock;
  /** Returns a number from 0 to 1, for the jitter of retries. Default: `Math.random`. */
  readonly random?: () => number;
  /** Creates a token that distinguishes runs with the same id. Default: random. */
  readonly createToken?: () => string;
}

/** The replies of the script `status` that are no end of a run. */
const states: ReadonlySet<string> = new Set<RunStatus>(["active", "failed", "unknown"]);

/** Redis has no infinite expiry: longer times are capped at about thirty years. */
function time(name: string, value: number): number {
  return Math.min(Math.ceil(milliseconds(`${name} of redisLog`, value)), 1e12);
}

/** Removes an entry unless another value has replaced it. */
function remove<T>(map: Map<string, T>, id: string, value: T): void {
  if (map.get(id) === value) map.delete(id);
}

import { type Clock, systemClock } from "../../stream/time/clock.js";
import { milliseconds, wholeNumber } from "../../stream/numbers.js";
import { stopped, logError } from "../errors.js";
import { type LoggedRun, randomToken } from "../log/logged-run.js";
import { readRun } from "../log/read-run.js";
import type { LogWriter, StreamLog } from "../log/stream-log.js";
import { connectionOf, type RedisClient } from "./connection.js";
import { Follower } from "./follower.js";
import { expire, stop } from "./scripts.js";
import { type Names, Store } from "./store.js";
import { Subscriptions } from "./subscriptions.js";
import { RedisWriter } from "./writer.js";

/**
 * A log in Redis (6.2 or later): a run is produced on one machine, and read and stopped from any other. Give it the client
 * that you have, of `redis` or `ioredis`; it makes one more connection by the client's `duplicate()`, to listen on.
 *
 * - **A producer** renews a lease while it runs. If it dies, its readers get the error `run_lost` when the lease is over.
 * - **Redis goes away**: what has to be written or read is tried again for `retry`; then the run ends, for this machine, with the
 *   error `log_unavailable`, and its source is closed. If Redis comes back without its data: `run_lost`.
 * - **Expiry**: all keys of a run expire by themselves, `ttl` after its end or, if it was lost, after its lease.
 *
 * All logs on one Redis are to have the same options. docs/redis.md says what is kept, and how readers are woken.
 *
 * @throws {RangeError} if a number is out of its range
 * @throws {TypeError} if the client is of neither package
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
  const closed = new AbortController();
  const connection = connectionOf(client);
  const subscriptions = new Subscriptions(connection);
  const store = new Store(connection, subscriptions, {
    prefix: options.prefix ?? "millrace:",
    ttl: time("ttl", options.ttl ?? 300_000),
    lease: time("lease", options.lease ?? 15_000),
    retry: time("retry", options.retry ?? 10_000),
    maxRuns: wholeNumber("maxRuns of redisLog", options.maxRuns ?? 10_000, 1),
    window: wholeNumber("window of redisLog", options.window ?? 1_000, 1),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    createToken: options.createToken ?? randomToken,
    closed: closed.signal,
  });
  /** The runs that are produced here, and those that are read here. */
  const writers = new Map<string, RedisWriter>();
  const followers = new Map<string, Follower>();

  const follow = (id: string): Follower => {
    const follower = followers.get(id) ?? new Follower(store, id, (it) => remove(followers, id, it));
    followers.set(id, follower);
    return follower;
  };
  /** Those on this machine need not wait for the message. */
  const tell = ({ readers, producer }: Names, kind: string, token: string): boolean => {
    if (token === "") return false;
    for (const channel of [producer, readers]) subscriptions.message(channel, `${kind} ${token}`);
    return true;
  };

  return {
    async create(id): Promise<LogWriter> {
      const writer = new RedisWriter(store, id, (it) => remove(writers, id, it));
      await writer.open();
      if (writer.run.end === undefined) writers.set(id, writer);
      return writer;
    },
    read(id, after) {
      let follower: Follower | undefined;
      const join = async (): Promise<LoggedRun> => writers.get(id)?.run ?? (follower = follow(id)).join();
      return readRun({ join, leave: () => follower?.leave() }, after);
    },
    async stop(id): Promise<boolean> {
      const names = store.namesOf(id);
      const args = [store.options.ttl, names.readers, names.producer, JSON.stringify(stopped)];
      return tell(names, "stopped", await store.ask(stop, names, args));
    },
    async expire(id): Promise<boolean> {
      const names = store.namesOf(id);
      return tell(names, "expired", await store.ask(expire, names, [names.readers, names.producer]));
    },
    async close(): Promise<void> {
      await Promise.all([...writers.values()].map((writer) => writer.abandon()));
      closed.abort();
      for (const follower of [...followers.values()]) follower.fail(logError("log_unavailable"));
      subscriptions.close();
    },
  };
}

/** A log in Redis. */
export interface RedisLog extends StreamLog {
  /**
   * Lets go of the log's own connection, never of the client. Runs that are produced here end with `run_lost`, for all who
   * read them anywhere; readers here get `log_unavailable`. Nothing can be done with the log afterwards.
   */
  close(): Promise<void>;
}

/** The options of `redisLog()`. Times are in milliseconds. */
export interface RedisLogOptions {
  /** What the names of all keys and channels begin with. Default: `millrace:`. */
  readonly prefix?: string;
  /** How long a run is kept after its end. Default: 300,000, five minutes. */
  readonly ttl?: number;
  /**
   * How long a run goes on without a sign of its producer, which gives one every third of it. What is left of a run that was
   * lost is kept for `ttl`. Default: 15,000.
   */
  readonly lease?: number;
  /** How long a Redis that does not answer is waited for. Let it be shorter than the lease. Default: 10,000. */
  readonly retry?: number;
  /** How many runs are kept. To begin one more, one that has ended is let go of. Default: 10,000. */
  readonly maxRuns?: number;
  /**
   * How many patches of a run are kept at least, to go on from; at most, it is twice as many. Who is further behind gets the
   * whole value, which the producer writes anew once in so many patches. Default: 1,000.
   */
  readonly window?: number;
  /** The machine's clock, by default. Leases and expiry are on the clock of Redis. */
  readonly clock?: Clock;
  /** A number from 0 to 1, for the pauses between attempts. Default: `Math.random`. */
  readonly random?: () => number;
  /** Tells runs of the same id apart. By default, random. */
  readonly createToken?: () => string;
}

/** Redis knows no endless time: what is longer than thirty years is thirty years. */
function time(name: string, value: number): number {
  return Math.min(Math.ceil(milliseconds(`${name} of redisLog`, value)), 1e12);
}

/** Unless another has taken its place. */
function remove<T>(map: Map<string, T>, id: string, value: T): void {
  if (map.get(id) === value) map.delete(id);
}

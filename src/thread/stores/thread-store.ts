import type { ThreadStatus } from "../../agent/views.js";
import type { ThreadRecord } from "../thread-record.js";

/**
 * Keeps threads. `memoryThreads()` is for tests and for one process, `fileThreads()` for one machine, `redisThreads()`
 * and `postgresThreads()` for many. `threadLaws()` of `millrace/testing` checks a store of your own.
 *
 * A thread belongs to an owner, such as the user of an app, and has an id. A store finds it by both, so that nobody reads the thread of
 * another user by guessing its id.
 */
export interface ThreadStore {
  /** The thread, or `undefined` if it does not exist. */
  load(key: ThreadKey): Promise<StoredThread | undefined>;
  /**
   * Saves a thread if the store still has the given version, and resolves with the new one.
   *
   * @param version of the thread as it was loaded or last saved; `undefined` for a new one
   * @throws {ThreadError} `conflict` if the store has another version, `too_large`, `too_many_threads`, `not_json`
   */
  save(key: ThreadKey, record: ThreadRecord, version: string | undefined): Promise<string>;
  /** The threads of an owner, the one that was changed last first. */
  list(owner: string, options?: ListOptions): Promise<ThreadSummary[]>;
  /** Removes a thread. Resolves with false if it does not exist. */
  remove(key: ThreadKey): Promise<boolean>;
}

/** Names a thread. */
export interface ThreadKey {
  /** The user that it belongs to. Empty in an app for one user. */
  readonly owner: string;
  readonly id: string;
}

/** A thread as a store has it. */
export interface StoredThread {
  /** Differs after each change. */
  readonly version: string;
  readonly record: ThreadRecord;
}

/** Options of `list()`. */
export interface ListOptions {
  /** Maximum number of threads. Default: 50. */
  readonly limit?: number;
  /** Lists what follows this thread, the last one of the page before, even if it was changed or removed since. */
  readonly after?: Pick<ThreadSummary, "id" | "updatedAt">;
}

/** A thread in a list. */
export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly status: ThreadStatus;
  readonly updatedAt: number;
}

import { wholeNumber } from "../../text/check-number.js";
import { ThreadError } from "../errors.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import {
  checkedThreads,
  rowsWithin,
  threadBoundNames,
  type ThreadBounds,
  type ThreadRow,
} from "./checked-threads.js";
import type { ThreadStore } from "./thread-store.js";

/** The options of `memoryThreads()`. */
export interface MemoryThreadsOptions extends ThreadBounds {
  /** Maximum number of threads of all owners. Default: 10,000. */
  readonly maxTotal?: number;
}

const optionNames = { ...threadBoundNames, maxTotal: true } satisfies OptionNames<MemoryThreadsOptions>;

/**
 * Keeps threads in memory: for tests, and for an app whose conversations may end with its process.
 *
 * @throws {RangeError} if a limit is out of range
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { memoryThreads, thread } from "millrace/thread";
 * import { scriptedModel } from "millrace/testing";
 *
 * const store = memoryThreads();
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const chat = await thread(agent, { store, id: "1", owner: "ada" });
 * for await (const event of chat.stream("Hi")) if (event.type === "text") console.log(event.delta); // Hello.
 * console.log((await store.list("ada")).map(({ title }) => title)); // ["Hi"]
 * ```
 */
export function memoryThreads(options: MemoryThreadsOptions = {}): ThreadStore {
  checkOptions("memoryThreads()", options, optionNames);
  const { maxTotal = 10_000 } = options;
  wholeNumber("maxTotal of memoryThreads", maxTotal, 1);
  const owners = new Map<string, Map<string, ThreadRow>>();
  let total = 0;
  const drop = (rows: Map<string, ThreadRow>, owner: string, id: string): boolean => {
    const dropped = rows.delete(id);
    if (dropped) total--;
    if (rows.size === 0) owners.delete(owner);
    return dropped;
  };
  const dropBefore = (oldest: number, rows: Map<string, ThreadRow>, owner: string): void => {
    for (const [id, { updatedAt }] of rows) if (updatedAt < oldest) drop(rows, owner, id);
  };
  return checkedThreads(
    {
      read: ({ owner, id }) => Promise.resolve(owners.get(owner)?.get(id)),
      write({ owner, id }, row, expected, { maxThreads, oldest }) {
        const rows = owners.get(owner) ?? new Map<string, ThreadRow>();
        dropBefore(oldest, rows, owner);
        if (rows.get(id)?.version !== expected) return Promise.resolve("conflict");
        if (expected === undefined) {
          if (total >= maxTotal) for (const [other, theirs] of owners) dropBefore(oldest, theirs, other);
          if (rows.size >= maxThreads) return Promise.resolve("full");
          if (total >= maxTotal) {
            const problem = `There are ${maxTotal} conversations of all owners already (maxTotal).`;
            return Promise.reject(new ThreadError("too_many_threads", problem));
          }
          total++;
        }
        owners.set(owner, rows.set(id, row));
        return Promise.resolve("saved");
      },
      list(owner, bounds) {
        const rows = [...(owners.get(owner) ?? [])].map(([id, row]) => ({ ...row, id }));
        return Promise.resolve(rowsWithin(rows, bounds));
      },
      remove({ owner, id }) {
        const rows = owners.get(owner);
        return Promise.resolve(rows !== undefined && drop(rows, owner, id));
      },
    },
    options,
  );
}

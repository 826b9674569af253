import { hasMethod } from "../../text/thrown.js";
import { checkArgument } from "../../text/check-options.js";
import type { Journal } from "../../agent/journal.js";
import { madeOnce } from "../../tree/made-once.js";
import { DurableError } from "../errors.js";
import { maxStepSizeOf, type RecordStore, storedJournal } from "./checked-journal.js";

/** The options of `memoryJournal()`. */
export interface MemoryJournalOptions {
  /** The maximum length of the value of a step, in characters of JSON. Default: 10,000,000. */
  readonly maxStepSize?: number;
}

/**
 * Creates a journal in memory, for tests. Each journal over the same `records` is the next attempt of one run, and the
 * one before can record nothing more, as if its process had died.
 *
 * @param records the recorded steps: the JSON text of each value by the name of its step
 * @throws {RangeError} if `maxStepSize` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { memoryJournal } from "millrace/durable";
 *
 * const records = new Map<string, string>();
 * await memoryJournal(records).step("greet", async () => "Hello");
 * console.log(await memoryJournal(records).step("greet", async () => "This does not run.")); // "Hello"
 * ```
 */
export function memoryJournal(
  records: Map<string, string> = new Map<string, string>(),
  options: MemoryJournalOptions = {},
): Journal {
  const maxStepSize = maxStepSizeOf("memoryJournal", options);
  checkArgument("memoryJournal()", "a Map", hasMethod(records, "get"), records);
  const begun = attemptsOf(records);
  const store: RecordStore = {
    open: () => Promise.resolve(),
    find: (name) => records.get(name),
    begin(name) {
      const attempt = (begun.get(name) ?? 0) + 1;
      begun.set(name, attempt);
      return Promise.resolve(attempt);
    },
    record(name, text) {
      if (owners.get(records) !== store) {
        throw new DurableError("lost", "A later attempt owns the run: its journal has the same records.");
      }
      records.set(name, text);
      return Promise.resolve();
    },
  };
  owners.set(records, store);
  return storedJournal(store, maxStepSize);
}

const owners = new WeakMap<Map<string, string>, RecordStore>();
const attemptsOf = madeOnce((_records: Map<string, string>) => new Map<string, number>());

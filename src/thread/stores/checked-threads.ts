import { wholeNumber } from "../../text/check-number.js";
import type { OptionNames } from "../../text/check-options.js";
import { cut } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { jsonText, parseJson } from "../../text/json-text.js";
import { ThreadError, unavailable } from "../errors.js";
import type { ThreadStatus } from "../../agent/views.js";
import { damaged, type ThreadRecord, toRecord } from "../thread-record.js";
import type { ListOptions, ThreadKey, ThreadStore, ThreadSummary } from "./thread-store.js";

/** The limits of a store. */
export interface ThreadBounds {
  /** Maximum size of a thread, in characters of JSON. Default: 5,000,000. */
  readonly maxSize?: number;
  /** Maximum number of threads of an owner. Default: 1,000. */
  readonly maxThreads?: number;
  /** Milliseconds after its last change, until a thread is removed. Default: never. */
  readonly maxAge?: number;
  /** The date, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

export const threadBoundNames: OptionNames<ThreadBounds> = {
  maxSize: true,
  maxThreads: true,
  maxAge: true,
  now: true,
};

/** The part of a thread that a list shows. */
export type RowHead = Omit<ThreadSummary, "id">;

/** A thread in a place. */
export interface ThreadRow extends RowHead {
  readonly version: string;
  /** The record as JSON. */
  readonly text: string;
}

/** Reads the head of a row: drivers return numbers as texts. */
export function rowHead(title: unknown, status: unknown, updatedAt: unknown): RowHead {
  return { title: String(title), status: status as ThreadStatus, updatedAt: Number(updatedAt) };
}

/** Which rows are listed: those that follow another and are not too old. */
export interface ListedRange extends Required<ListOptions> {
  readonly oldest: number;
}

/** The rows to list, of all that a place has read: the latest change first, and of those at the same time the greatest id. */
export function rowsWithin<Row extends ThreadSummary>(
  rows: Row[],
  { oldest, after, limit }: ListedRange,
): Row[] {
  const found = rows.filter((row) => row.updatedAt >= oldest && inListOrder(after, row) < 0);
  return found.sort(inListOrder).slice(0, limit);
}

function inListOrder(a: ListedRange["after"], b: ListedRange["after"]): number {
  return b.updatedAt - a.updatedAt || Number(b.id > a.id) - Number(b.id < a.id);
}

/** Where a store keeps its threads: texts that are replaced as one. All times and counts are safe integers. */
export interface ThreadPlace {
  read(key: ThreadKey): Promise<ThreadRow | undefined>;
  /**
   * Replaces a row if it has the expected version: `undefined` for a row that does not exist.
   *
   * @param oldest rows that were changed before this time count as removed
   */
  write(
    key: ThreadKey,
    row: ThreadRow,
    expected: string | undefined,
    limits: { readonly maxThreads: number; readonly oldest: number },
  ): Promise<"saved" | "conflict" | "full">;
  /** The rows within the bounds, in the order of the list. */
  list(owner: string, bounds: ListedRange): Promise<readonly ThreadSummary[]>;
  remove(key: ThreadKey): Promise<boolean>;
}

/** A store over a place, with the rules that all stores of this package share. */
export function checkedThreads(place: ThreadPlace, bounds: ThreadBounds): ThreadStore {
  const { maxSize = 5_000_000, maxThreads = 1_000, maxAge = Infinity, now = Date.now } = bounds;
  wholeNumber("maxSize of the store", maxSize, 1);
  wholeNumber("maxThreads of the store", maxThreads, 1);
  if (maxAge !== Infinity) wholeNumber("maxAge of the store", maxAge, 1);
  const oldest = (): number => toTime(now() - maxAge);
  return {
    async load(key) {
      checkKey(key);
      const row = await io(() => place.read(key));
      if (row === undefined || row.updatedAt < oldest()) return undefined;
      return { version: row.version, record: toRecord(parseJson(row.text, damaged)) };
    },
    async save(key, record, version) {
      checkKey(key);
      const next = crypto.randomUUID();
      const { status } = record;
      const title = listTitle(record.title);
      const updatedAt = toTime(record.updatedAt);
      const row = { version: next, title, status, updatedAt, text: textOf(record, maxSize) };
      const limits = { maxThreads: countable(maxThreads), oldest: oldest() };
      const outcome = await io(() => place.write(key, row, version, limits));
      if (outcome === "saved") return next;
      throw outcome === "full"
        ? new ThreadError(
            "too_many_threads",
            `There are ${maxThreads} conversations already. Remove one first.`,
          )
        : new ThreadError("conflict", "The conversation was changed elsewhere. Load it again.");
    },
    async list(owner, { limit = 50, after = atBegin } = {}) {
      wholeNumber("limit of list()", limit, 1);
      wholeNumber("after.updatedAt of list()", after.updatedAt, 0);
      if (after === atBegin) checkOwner(owner);
      else checkKey({ owner, id: after.id });
      const last = { id: after.id, updatedAt: countable(after.updatedAt) };
      const range = { oldest: oldest(), after: last, limit: countable(limit) };
      const rows = await io(() => place.list(owner, range));
      return rows.map(({ id, title, status, updatedAt }) => ({ id, title, status, updatedAt }));
    },
    remove(key) {
      checkKey(key);
      return io(() => place.remove(key));
    },
  };
}

/** Before all threads of a list: later than any date. */
const atBegin: ListedRange["after"] = { id: "", updatedAt: Number.MAX_SAFE_INTEGER };

/** Reports what a driver or the file system throws as `unavailable`. */
async function io<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isInstance(error, ThreadError) ? error : unavailable(error);
  }
}

function textOf(record: ThreadRecord, maxSize: number): string {
  const { text, problem, cause } = jsonText(record, { maxLength: maxSize + 1, maxDepth: 2_000 });
  if (text.length > maxSize) {
    const message = `The conversation is longer than ${maxSize} characters of JSON (maxSize). Begin a new one.`;
    throw new ThreadError("too_large", message);
  }
  if (problem === undefined) return text;
  throw new ThreadError("not_json", `The conversation cannot be written as JSON: ${problem}.`, { cause });
}

/**
 * The title for the list, which has no other text of a user: PostgreSQL refuses the character 0, and a file is read up
 * to the end of its first line.
 */
function listTitle(title: string): string {
  return cut(title, 500).replaceAll("\0", "\ufffd");
}

/** Whole milliseconds between 1970 and the last date of JavaScript. A clock may return fractions. */
function toTime(time: number): number {
  return Math.min(Math.max(Math.ceil(time) || 0, 0), 8.64e15);
}

/** A count without `Infinity`, which databases do not know. */
function countable(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}

/** Clients send the id, and places use it in names of files and keys. */
function checkKey({ owner, id }: ThreadKey): void {
  checkOwner(owner);
  if (typeof id === "string" && /^[\w.~-]{1,200}$/.test(id) && !/^\.+$/.test(id)) return;
  throw new ThreadError(
    "invalid_id",
    `The id of a thread has 1 to 200 letters, digits, -, _, . or ~, and is not ${excerpt(id, 60)}.`,
  );
}

/** UTF-8 has no halves of surrogate pairs: a file or table would mix up owners that differ in them. */
function checkOwner(owner: string): void {
  if (typeof owner === "string" && owner.length <= 1_000 && !/\p{Surrogate}/u.test(owner)) return;
  throw new ThreadError(
    "invalid_id",
    "The owner of a thread is a text of at most 1,000 characters, without halves of surrogate pairs.",
  );
}

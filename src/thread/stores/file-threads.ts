import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRecord } from "../../messages/loose.js";
import { checkFolder, checkFolderPath, makeFolder } from "../../durable/journals/file/file-journal.js";
import { checkOwner, syncFolder } from "../../durable/journals/file/open-journal-file.js";
import { sha256 } from "../../durable/sha256.js";
import { checkOptions } from "../../text/check-options.js";
import { fieldOf, isInstance } from "../../text/thrown.js";
import { getOrInsert } from "../../tree/made-once.js";
import { ThreadError } from "../errors.js";
import {
  checkedThreads,
  rowsWithin,
  rowHead,
  threadBoundNames,
  type ThreadBounds,
  type ThreadRow,
} from "./checked-threads.js";
import type { ThreadKey, ThreadStore, ThreadSummary } from "./thread-store.js";

/**
 * Keeps threads in a folder of a local disk: a folder for each owner, in it a file for each thread.
 *
 * - **A saved thread survives a crash** of the process and of the machine (`fsync`).
 * - **Several processes** of one machine may use the folder. A change is a new file `NAME.N`, linked as one step, and of
 *   two changes of one version a single one gets the number.
 * - **Private.** Only the user of the process can read the files. A folder of another user, or one to which others may
 *   write, is refused with `unavailable`. Links are not followed.
 *
 * @param folder created with the first thread
 * @throws {RangeError} if a limit is out of range
 *
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { createAgent } from "millrace";
 * import { fileThreads, thread } from "millrace/thread";
 * import { scriptedModel } from "millrace/testing";
 *
 * const folder = await mkdtemp("/tmp/threads-");
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const chat = await thread(agent, { store: fileThreads(folder), id: "1" });
 * for await (const event of chat.stream("Hi")) if (event.type === "text") console.log(event.delta);
 *
 * // In another process.
 * const again = await thread(agent, { store: fileThreads(folder), id: "1" });
 * console.log(again.messages.map(({ role }) => role)); // ["user", "assistant"]
 * ```
 */
export function fileThreads(folder: string, options: ThreadBounds = {}): ThreadStore {
  checkOptions("fileThreads()", options, threadBoundNames);
  checkFolderPath("fileThreads()", folder);
  const root = resolve(folder);
  const folderOf = (owner: string): string => join(root, hash(owner));
  return checkedThreads(
    {
      read: async (key) => (await latestOf(folderOf(key.owner), hash(key.id)))?.row,
      async write(key, row, expected, { maxThreads, oldest }) {
        const own = folderOf(key.owner);
        await makeFolder(own);
        checkFolder(root, await stat(root));
        checkFolder(own, await stat(own));
        const files = await filesIn(own);
        await removeLeftovers(own, files.others);
        const name = hash(key.id);
        const found = await latestOf(own, name, Infinity, files);
        const isExpired = found !== undefined && found.row.updatedAt < oldest;
        const current = isExpired ? undefined : found?.row.version;
        if (current !== expected) return "conflict";
        if (expected === undefined && (await countIn(own, files, oldest)) >= maxThreads) return "full";
        return saveAs(own, name, (found?.number ?? 0) + 1, key, row, expected === undefined);
      },
      async list(owner, bounds) {
        const own = folderOf(owner);
        const files = await filesIn(own);
        const rows: ThreadSummary[] = [];
        // One after the other: many lists at once would open too many files.
        for (const name of files.numbers.keys()) {
          const head = await headIn(own, name, files);
          if (typeof head === "object") rows.push({ ...head.row, id: head.id });
        }
        return rowsWithin(rows, bounds);
      },
      async remove(key) {
        const own = folderOf(key.owner);
        const name = hash(key.id);
        for (let found = false; ; found = true) {
          const numbers = (await filesIn(own)).numbers.get(name);
          // A save at the same time may have added a version.
          if (numbers === undefined) return found;
          // The latest at last: a crash leaves it, not a version before.
          for (const number of [...numbers].sort((a, b) => a - b))
            await rm(join(own, `${name}.${number}`), { force: true });
        }
      },
    },
    options,
  );
}

/** Names of files: ids may differ only in case, and owners may be anything. */
function hash(text: string): string {
  return sha256(text, 40);
}

interface FolderFiles {
  /** The numbers of the versions of each thread. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** The files that are no threads. */
  readonly others: readonly string[];
}

async function filesIn(folder: string): Promise<FolderFiles> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (fieldOf(error, "code") === "ENOENT") return [];
    throw error;
  });
  const numbers = new Map<string, number[]>();
  const others: string[] = [];
  for (const file of names) {
    const [, name, number] = /^([0-9a-f]{40})\.(\d{1,15})$/.exec(file) ?? [];
    if (name === undefined) others.push(file);
    else getOrInsert(numbers, name, () => []).push(Number(number));
  }
  return { numbers, others };
}

interface SavedVersion {
  readonly id: string;
  readonly number: number;
  readonly row: ThreadRow;
}

/** The head of the highest version of a thread; `undefined` if it is gone. The `load()` of a damaged one says so. */
async function headIn(
  folder: string,
  name: string,
  files: FolderFiles,
): Promise<SavedVersion | "damaged" | undefined> {
  try {
    return await latestOf(folder, name, headOnly, files);
  } catch (error) {
    if (isInstance(error, ThreadError) && error.code === "corrupt") return "damaged";
    throw error;
  }
}

/** Long enough for the first line of a file. */
const headOnly = 4_096;

/**
 * The highest version of a thread.
 *
 * @param files the folder as it was listed just before
 */
async function latestOf(
  folder: string,
  name: string,
  length = Infinity,
  files?: FolderFiles,
): Promise<SavedVersion | undefined> {
  for (let listed = files ?? (await filesIn(folder)); ; listed = await filesIn(folder)) {
    const numbers = listed.numbers.get(name);
    if (numbers === undefined) return undefined;
    const number = Math.max(...numbers);
    const text = await readOwn(join(folder, `${name}.${number}`), length);
    if (text !== undefined) return { number, ...parse(text) };
    // Replaced or removed meanwhile.
  }
}

async function readOwn(path: string, length: number): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      checkOwner(path, await handle.stat());
      if (length === Infinity) return await handle.readFile("utf8");
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (fieldOf(error, "code") === "ENOENT") return undefined;
    throw error;
  }
}

/** The first line is the head, the second the record. */
function parse(text: string): Omit<SavedVersion, "number"> {
  const end = text.indexOf("\n");
  try {
    const head: unknown = JSON.parse(text.slice(0, end));
    if (!isRecord(head) || typeof head["id"] !== "string") throw new TypeError("no head");
    const { id, version, title, status, updatedAt } = head;
    const row = { version: String(version), ...rowHead(title, status, updatedAt), text: text.slice(end + 1) };
    return { id, row };
  } catch (cause) {
    throw new ThreadError("corrupt", "A conversation in the store is damaged.", { cause });
  }
}

async function saveAs(
  folder: string,
  name: string,
  number: number,
  { id }: ThreadKey,
  { text, ...head }: ThreadRow,
  isNew: boolean,
): Promise<"saved" | "conflict"> {
  const path = join(folder, `${name}.${number}`);
  const draft = join(folder, `draft-${randomUUID()}`);
  try {
    await writeDraft(draft, `${JSON.stringify({ id, ...head })}\n${text}`);
    await link(draft, path);
  } catch (error) {
    if (fieldOf(error, "code") === "EEXIST") return "conflict";
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const numbers = (await filesIn(folder)).numbers.get(name) ?? [];
  // A save removes a version only after a higher one exists. So a number that was free again is not the highest, and
  // the version before this one is there unless the thread was removed meanwhile.
  if (Math.max(...numbers) !== number || !(isNew || numbers.includes(number - 1))) {
    await rm(path, { force: true });
    return "conflict";
  }
  await syncFolder(folder);
  for (const old of numbers) if (old < number) await rm(join(folder, `${name}.${old}`), { force: true });
  return "saved";
}

async function writeDraft(path: string, text: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The number of threads that have not expired. Removes the others if they would count. */
async function countIn(folder: string, files: FolderFiles, oldest: number): Promise<number> {
  if (oldest === 0) return files.numbers.size;
  let count = 0;
  for (const [name, versions] of files.numbers) {
    const latest = await headIn(folder, name, files);
    if (latest === undefined) continue;
    if (latest === "damaged" || latest.row.updatedAt >= oldest) count++;
    else for (const number of versions) await rm(join(folder, `${name}.${number}`), { force: true });
  }
  return count;
}

/** Drafts of processes that died. Those of an hour ago belong to nobody. */
async function removeLeftovers(folder: string, others: readonly string[]): Promise<void> {
  for (const file of others) {
    if (!file.startsWith("draft-")) continue;
    const path = join(folder, file);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - 3_600_000) await rm(path, { force: true });
  }
}

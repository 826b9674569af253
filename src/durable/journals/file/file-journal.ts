import { Buffer } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Journal } from "../../../agent/journal.js";
import { wholeNumber } from "../../../text/check-number.js";
import { checkOptions, type OptionNames, checkArgument } from "../../../text/check-options.js";
import { fieldOf } from "../../../text/thrown.js";
import { beginStep, endStep } from "../../step-names.js";
import { type RecordStore, storedJournal } from "../checked-journal.js";
import { DurableError } from "../../errors.js";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import {
  checkOwner,
  io,
  openJournalFile,
  type OpenJournalFile,
  openOwnFile,
  syncFolder,
} from "./open-journal-file.js";
import { beginEntry, lastEntries, readJournal, recordEntry } from "./journal-lines.js";

/** A journal in a folder. */
export interface FileJournal extends Journal {
  /** Lets another attempt own the run. Steps that still run are not recorded. */
  close(): Promise<void>;
}

/** The options of `fileJournal()`. */
export interface FileJournalOptions {
  /** The maximum length of the value of a step, in characters of JSON. Default: 10,000,000. */
  readonly maxStepSize?: number;
  /** The maximum size of the file in bytes. Default: 250,000,000. */
  readonly maxSize?: number;
}

/**
 * Creates a journal that keeps the steps of one run in a folder of its own. The folder is created and locked when the
 * first step begins.
 *
 * - **Each record is on the disk** (`fsync`) before its step resolves. A last line that is cut by a crash is removed.
 * - **One owner at a time.** The lock ends with the process, also with `kill -9`. It uses no clock, so a process that
 *   sleeps still owns its runs. Another journal rejects its first step with `owned`.
 * - **Private.** Only the user of the process can read a folder that it has created. A folder of another user, one to
 *   which others may write, and a journal that is a link are refused with `unavailable`.
 * - **One machine.** The folder must be on a local disk of a system with Unix sockets (Linux, macOS). Containers on one
 *   machine may share it.
 *
 * @param folder the folder of the run. If its name comes from outside, check that it is a plain name
 * @throws {RangeError} if a limit is not a whole number of at least 1
 *
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { fileJournal } from "millrace/durable";
 *
 * const folder = await mkdtemp("/tmp/run-");
 * const journal = fileJournal(folder);
 * console.log(await journal.step("greet", async () => "Hello")); // "Hello"
 * await journal.close();
 *
 * const next = fileJournal(folder); // in another process, after a crash
 * console.log(await next.step("greet", async () => "This does not run.")); // "Hello"
 * await next.close();
 * ```
 */
export function fileJournal(folder: string, options: FileJournalOptions = {}): FileJournal {
  checkOptions("fileJournal()", options, {
    maxStepSize: true,
    maxSize: true,
  } satisfies OptionNames<FileJournalOptions>);
  checkFolderPath("fileJournal()", folder);
  const { maxStepSize = 10_000_000, maxSize = 250_000_000 } = options;
  wholeNumber("maxStepSize of fileJournal", maxStepSize, 1);
  wholeNumber("maxSize of fileJournal", maxSize, 1);
  const store = folderStore(resolve(folder), maxSize);
  return { ...storedJournal(store, maxStepSize), close: store.close };
}

/**
 * Lists the runs that have begun and not ended: the names of the folders in `parent` whose journal has an input and no
 * end. Call it when a program starts, and continue each of them.
 *
 * @param parent the folder with a folder for each run. It need not exist yet
 * @throws {DurableError} `unavailable` if the folder, or the journal of one of its runs, cannot be read
 *
 * @example
 * ```ts
 * import { unfinishedRuns } from "millrace/durable";
 *
 * console.log(await unfinishedRuns("no-such-folder")); // []
 * ```
 */
export async function unfinishedRuns(parent: string): Promise<string[]> {
  checkFolderPath("unfinishedRuns()", parent);
  const entries = (await ifExists(parent, () => readdir(parent, { withFileTypes: true }))) ?? [];
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory() && (await isUnfinished(fileIn(join(parent, entry.name))))) names.push(entry.name);
  }
  return names.sort();
}

/** @throws {TypeError} for anything but a text */
export function checkFolderPath(subject: string, folder: unknown): void {
  checkArgument(subject, "the path of a folder", typeof folder === "string", folder);
}

/** The records in a folder, which is locked when they are opened. */
function folderStore(folder: string, maxSize: number): RecordStore & { readonly close: () => Promise<void> } {
  let lock: FolderLock | undefined;
  let file: OpenJournalFile | undefined;
  let opening: Promise<void> | undefined;
  let closed = false;
  const wasClosed = (): DurableError => new DurableError("lost", `The journal in ${folder} was closed.`);
  const current = (): OpenJournalFile => {
    if (file === undefined || closed) throw wasClosed();
    return file;
  };
  const acquire = async (): Promise<void> => {
    if (closed) throw wasClosed();
    const acquired = await io(folder, async () => {
      await makeFolder(folder);
      checkFolder(folder, await stat(folder));
      return lockFolder(folder);
    });
    try {
      file = await openJournalFile(fileIn(folder), { maxSize, confirm: acquired.confirm });
      lock = acquired;
    } catch (error) {
      await acquired.release();
      throw error;
    }
  };
  return {
    open: () => (opening = acquire()),
    find: (name) => file?.contents.records.get(name),
    async begin(name) {
      await current().append(beginEntry(name), false);
      return (current().contents.begun.get(name) ?? 0) + 1;
    },
    record: async (name, text) => current().append(recordEntry(name, text), true),
    async close() {
      closed = true;
      await opening?.catch(() => undefined);
      await file?.close();
      await lock?.release();
      file = undefined;
      lock = undefined;
    },
  };
}

/** Not `mkdir()` with `recursive`, which never ends in a folder such as /proc, where nobody can make one. */
export async function makeFolder(folder: string, above = true): Promise<void> {
  const parent = dirname(folder);
  try {
    await mkdir(folder, 0o700);
  } catch (error) {
    const code = fieldOf(error, "code");
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (code !== "ENOENT" || !above) throw error;
    await makeFolder(parent);
    return makeFolder(folder, false);
  }
  await syncFolder(parent);
}

/**
 * Others who may write to the folder could remove the lock and bring a journal of their own.
 *
 * @throws {DurableError} `unavailable`
 */
export function checkFolder(folder: string, stats: Stats): void {
  checkOwner(folder, stats);
  if ((stats.mode & 0o022) === 0) return;
  throw new DurableError(
    "unavailable",
    `Other users may write to ${folder}. Use a folder that only its owner may write to (chmod go-w), or one that does not exist yet.`,
  );
}

function fileIn(folder: string): string {
  return join(folder, "journal.ndjson");
}

/** Whether there is a journal with the beginning of a run, and without its end. */
async function isUnfinished(path: string): Promise<boolean> {
  const file = await ifExists(path, () => openOwnFile(path, constants.O_RDONLY));
  if (file === undefined) return false;
  const { handle, size } = file;
  try {
    const length = Math.min(size, tailLength);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    if (lastEntries(buffer).some(([name, value]) => name === endStep && value !== undefined)) return false;
    return isOpen(await handle.readFile(), path);
  } finally {
    await handle.close();
  }
}

/** @throws {DurableError} `unavailable` for any other reason than a missing file */
async function ifExists<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  return io(path, work).catch((error: unknown) => {
    if (fieldOf(fieldOf(error, "cause"), "code") === "ENOENT") return undefined;
    throw error;
  });
}

/** A run whose process died before it recorded the input cannot be continued. */
function isOpen(bytes: Buffer, path: string): boolean {
  try {
    const { records } = readJournal(bytes, path);
    return records.has(beginStep) && !records.has(endStep);
  } catch {
    return true; // damaged: its next attempt says so
  }
}

/** The end of a run is a short line, except after a long error: then the whole file tells. */
const tailLength = 4_096;

import { Buffer } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Failure } from "../../../stream/core/inlet.js";
import { isInstance } from "../../../text/thrown.js";
import { messageOf } from "../../../text/excerpt.js";
import { DurableError } from "../../errors.js";
import { entriesLine, headerLine, type JournalRecords, readJournal } from "./journal-lines.js";

interface PendingEntry {
  readonly entry: string;
  /** Whether the entry must survive a crash of the machine. */
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface OpenJournalFile {
  readonly contents: JournalRecords;
  /** Appends an entry. Resolves when it is written, and on the disk if it must be durable. */
  append(entry: string, durable: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens or creates the file of a journal, and cuts off a last line that is not complete. Entries that arrive during a
 * write share the next line and its `fsync`. After a failed write nothing is known about the end of the file, so all
 * further writes fail; the next attempt cuts the tail.
 *
 * @throws {DurableError} `corrupt`, `too_large`, `unavailable`
 */
export async function openJournalFile(
  path: string,
  { maxSize, confirm }: JournalFileOptions,
): Promise<OpenJournalFile> {
  const { handle, size: found } = await io(path, () =>
    openOwnFile(path, constants.O_RDWR | constants.O_CREAT),
  );
  try {
    if (found > maxSize) throw tooLarge(path, found, maxSize);
    const contents = readJournal(await io(path, () => handle.readFile()), path);
    const size = await io(path, () => cutTail(handle, path, contents.size));
    return writing(handle, path, contents, size, { maxSize, confirm });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Leaves the valid part of a file, with the first line of a new one. Returns its size. */
async function cutTail(handle: FileHandle, path: string, valid: number): Promise<number> {
  await handle.truncate(valid);
  const header = valid === 0 ? headerLine() : "";
  if (header !== "") {
    await handle.appendFile(header);
    await syncFolder(dirname(path));
  }
  await handle.datasync();
  return valid + Buffer.byteLength(header);
}

function writing(
  handle: FileHandle,
  path: string,
  contents: JournalRecords,
  begin: number,
  { maxSize, confirm }: JournalFileOptions,
): OpenJournalFile {
  let size = begin;
  let waiting: PendingEntry[] = [];
  let flushing: Promise<void> | undefined;
  let failure: Failure | undefined;

  const write = async (batch: readonly PendingEntry[]): Promise<void> => {
    if (failure !== undefined) throw failure.error;
    const line = Buffer.from(entriesLine(batch.map(({ entry }) => entry)));
    if (size + line.length > maxSize) throw tooLarge(path, size + line.length, maxSize);
    try {
      await confirm();
      await io(path, async () => {
        await handle.appendFile(line);
        if (batch.some(({ durable }) => durable)) await handle.datasync();
      });
      size += line.length;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const flush = async (): Promise<void> => {
    await Promise.resolve(); // entries of the same turn share a line
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    flushing = undefined;
  };

  return {
    contents,
    append: (entry, durable) =>
      new Promise((resolve, reject) => {
        waiting.push({ entry, durable, resolve, reject });
        flushing ??= flush();
      }),
    async close() {
      failure ??= { error: new DurableError("lost", `The journal ${path} was closed.`) };
      await flushing;
      await handle.close();
    },
  };
}

export interface JournalFileOptions {
  /** The maximum size of the file in bytes. */
  readonly maxSize: number;
  /** Rejects if the journal owns the run no longer. Called before each write. */
  readonly confirm: () => Promise<void>;
}

/**
 * Opens the file of a journal, which must be a file of its own: not a link, by which the user of another account could
 * have this process write to one of its other files, and not a pipe, which would not open before somebody writes.
 *
 * @throws {DurableError} `unavailable`; and errors of the system
 */
export async function openOwnFile(
  path: string,
  flags: number,
): Promise<{ handle: FileHandle; size: number }> {
  const { O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, flags | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DurableError("unavailable", `${path} is not a file.`);
    if (stats.nlink > 1) {
      throw new DurableError(
        "unavailable",
        `${path} has a second name (a hard link), so it is not only a journal.`,
      );
    }
    checkOwner(path, stats);
    return { handle, size: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Refuses what belongs to the user of another account, who could change it. Root can change everything anyway.
 *
 * @throws {DurableError} `unavailable`
 */
export function checkOwner(path: string, { uid }: Stats): void {
  // Not an import of node:process, which would open standard input.
  const own = globalThis.process.geteuid?.();
  if (own === undefined || uid === own || uid === 0) return;
  throw new DurableError(
    "unavailable",
    `${path} belongs to the user ${uid}, but the process runs as the user ${own}. Use a folder of this user.`,
  );
}

function tooLarge(path: string, size: number, maxSize: number): DurableError {
  return new DurableError(
    "too_large",
    `The journal ${path} would have ${size} bytes, but may have ${maxSize} (maxSize).`,
  );
}

/** Makes a new file survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs file operations, whose errors become `unavailable`. */
export async function io<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isInstance(cause, DurableError)) throw cause;
    throw new DurableError("unavailable", `${path} cannot be read or written: ${messageOf(cause)}`, {
      cause,
    });
  }
}

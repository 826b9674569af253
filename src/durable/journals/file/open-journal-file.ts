import { Buffer } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isInstance } from "../../../text/thrown.js";
import { messageOf } from "../../../text/excerpt.js";
import { DurableError } from "../../errors.js";
import { entriesLine, headerLine, type JournalRecords, readJournal } from "./journal-lines.js";

/** An entry that a caller waits for. */
interface PendingEntry {
  readonly entry: string;
  /** Whether the entry must survive a crash of the machine. */
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The open file of a journal. Entries that arrive during a write share the next line and its `fsync`. After a failed
 * write nothing is known about the end of the file, so all further writes fail; the next attempt cuts the tail.
 */
export class OpenJournalFile {
  readonly contents: JournalRecords;
  private readonly handle: FileHandle;
  private readonly path: string;
  private readonly maxSize: number;
  private readonly confirm: () => Promise<void>;
  private size: number;
  private waiting: PendingEntry[] = [];
  private flushing: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  private constructor(
    handle: FileHandle,
    path: string,
    contents: JournalRecords,
    { maxSize, confirm }: JournalFileOptions,
  ) {
    this.handle = handle;
    this.path = path;
    this.contents = contents;
    this.size = contents.size;
    this.maxSize = maxSize;
    this.confirm = confirm;
  }

  /**
   * Opens or creates the file, and cuts off a last line that is not complete.
   *
   * @throws {DurableError} `corrupt`, `too_large`, `unavailable`
   */
  static async open(path: string, options: JournalFileOptions): Promise<OpenJournalFile> {
    const { handle, size } = await io(path, () => openOwnFile(path, constants.O_RDWR | constants.O_CREAT));
    try {
      if (size > options.maxSize) throw tooLarge(path, size, options.maxSize);
      const contents = readJournal(await io(path, () => handle.readFile()), path);
      const file = new OpenJournalFile(handle, path, contents, options);
      await io(path, () => file.begin());
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Appends an entry. Resolves when it is written, and on the disk if it must be durable. */
  append(entry: string, durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, durable, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  async close(): Promise<void> {
    this.failure ??= { error: new DurableError("lost", `The journal ${this.path} was closed.`) };
    await this.flushing;
    await this.handle.close();
  }

  private async begin(): Promise<void> {
    await this.handle.truncate(this.size);
    if (this.size === 0) {
      const line = headerLine();
      await this.handle.appendFile(line);
      this.size = Buffer.byteLength(line);
      await syncFolder(dirname(this.path));
    }
    await this.handle.datasync();
  }

  private async flush(): Promise<void> {
    await Promise.resolve(); // entries of the same turn share a line
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.write(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.flushing = undefined;
  }

  private async write(batch: readonly PendingEntry[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure.error;
    const line = Buffer.from(entriesLine(batch.map(({ entry }) => entry)));
    if (this.size + line.length > this.maxSize) {
      throw tooLarge(this.path, this.size + line.length, this.maxSize);
    }
    try {
      await this.confirm();
      await io(this.path, async () => {
        await this.handle.appendFile(line);
        if (batch.some(({ durable }) => durable)) await this.handle.datasync();
      });
      this.size += line.length;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
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
  } catch (error) {
    throw toUnavailable(path, error);
  }
}

function toUnavailable(path: string, error: unknown): DurableError {
  if (isInstance(error, DurableError)) return error;
  return new DurableError("unavailable", `${path} cannot be read or written: ${messageOf(error)}`, {
    cause: error,
  });
}

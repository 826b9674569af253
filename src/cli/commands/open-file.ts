import { constants, openSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { Socket } from "node:net";
import type { InputStream } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";

/**
 * Opens a file for reading in chunks.
 *
 * @throws {UsageError} if the file cannot be opened, or is a directory
 */
export async function openFile(path: string): Promise<InputStream> {
  try {
    // Opening a pipe that nobody writes to would block a thread, and the process could not end.
    if ((await stat(path)).isFIFO())
      return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
    const file = await open(path);
    if (!(await file.stat()).isDirectory()) return file.createReadStream();
    await file.close();
  } catch (cause) {
    throw new UsageError(`The file "${path}" cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  throw new UsageError(`The file "${path}" cannot be read: it is a directory.`);
}

/** @throws {UsageError} if the file cannot be read. @param what `The schema file` */
export async function readWhole(what: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`${what} "${path}" cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** Why the system cannot read a file. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "it is a directory";
    case "EACCES":
      return "permission is denied";
    default:
      return message;
  }
}

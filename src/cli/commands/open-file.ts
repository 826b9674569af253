import { constants, openSync } from "node:fs";
import { open, stat } from "node:fs/promises";
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

import { open, rename, rm, stat } from "node:fs/promises";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { messageOf } from "../../text/excerpt.js";
import { parsedJson } from "../../text/json-text.js";
import { openFile } from "../commands/open-file.js";
import { OutputError } from "../terminal/output-error.js";
import { UsageError } from "../terminal/usage-error.js";
import { maxDocument } from "./inputs/document.js";
import { linesOf } from "./inputs/lines.js";

/** A line of the output or of the errors. */
export interface OutputLine extends JsonObject {
  readonly id: string;
  /** The hash of the prompt. */
  readonly content: string;
}

/**
 * A file of JSON lines that only grows. It is itself the record of what is done: a line counts when its line feed is
 * written, and a last line without one is cut off.
 */
export interface OutputFile {
  /** @throws {OutputError} if the line cannot be written, for example because the disk is full */
  append(line: OutputLine): Promise<void>;
  /** Writes to the disk what the system still holds. */
  close(): Promise<void>;
}

/**
 * Opens or creates a file, and reads the lines that it has.
 *
 * @throws {UsageError} if a line is not one that this command writes
 * @throws {OutputError} if it cannot be opened
 */
export async function openOutput(
  path: string,
  onLine: (line: OutputLine) => void,
  signal: AbortSignal,
): Promise<OutputFile> {
  let size = 0;
  for await (const { line, end } of completeLines(path, signal)) {
    onLine(line);
    size = end;
  }
  const written = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw outputError(path, error);
    }
  };
  const handle = await written(() => open(path, "a"));
  await written(() => handle.truncate(size));
  return {
    append: (line) => written(() => handle.appendFile(toText(line))),
    async close() {
      await handle.datasync().catch(() => undefined);
      await handle.close();
    },
  };
}

/** Removes lines from a file. A crash leaves the old file or the new one. */
export async function keepLines(
  path: string,
  keep: (line: OutputLine) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const next = `${path}.next`;
  try {
    await rm(next, { force: true }); // of a crash; and never writes behind a link
    const handle = await open(next, "wx");
    try {
      for await (const { line } of completeLines(path, signal)) {
        if (keep(line)) await handle.appendFile(toText(line));
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(next, path);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UsageError ? error : outputError(path, error);
  }
}

/**
 * The lines that were written whole, and where each ends in the file.
 *
 * @throws {UsageError} if a line is not one that this command writes
 */
async function* completeLines(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly line: OutputLine; readonly end: number }, void, undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return;
  for await (const { number, bytes, end, complete } of linesOf(await openFile(path), maxLine)) {
    signal.throwIfAborted();
    const text = bytes?.toString("utf8");
    if (complete) yield { line: parse(path, number, text ?? ""), end };
    else if (text === undefined || (number === 1 && !isBegun(text))) throw foreignLine(path, number);
  }
}

/** An id may have as many bytes as a document, and each may take six characters of JSON. */
const maxLine = 10 * maxDocument;

/** Whether a crash may have left a text of the first line. */
function isBegun(text: string): boolean {
  const start = '{"id":"';
  return text.startsWith(start) || start.startsWith(text);
}

function toText(line: OutputLine): string {
  return `${JSON.stringify(line)}\n`;
}

function parse(path: string, number: number, text: string): OutputLine {
  const value = parsedJson(text) as JsonValue | undefined;
  const { id, content } = isObject(value) ? value : {};
  if (typeof id === "string" && typeof content === "string" && /^[\da-f]{16}$/.test(content)) {
    return value as OutputLine;
  }
  throw foreignLine(path, number);
}

function foreignLine(path: string, number: number): UsageError {
  return new UsageError(
    `Line ${number} of "${path}" is not one that millrace extract has written. Choose another --out, or remove the line.`,
  );
}

function outputError(path: string, error: unknown): OutputError {
  return new OutputError(
    new Error(
      `"${path}": ${messageOf(error)}. All lines before are kept. When there is space, run the same command again`,
      { cause: error },
    ),
  );
}

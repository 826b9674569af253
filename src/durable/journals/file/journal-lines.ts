import type { Buffer } from "node:buffer";
import type { JsonValue } from "../../../json/value.js";
import { parsedJson } from "../../../text/json-text.js";
import { DurableError } from "../../errors.js";
import { sha256 } from "../../sha256.js";

/*
 * The file of a journal is text, and each line is one write: a checksum of the rest, then JSON.
 *
 *   5ae3…  {"millrace":"journal","version":1}
 *   91c0…  [["model 1"]]                          the step began
 *   0f2b…  [["model 1",{"items":[…]}],["tool …"]] the step was recorded, another one began
 *
 * A line is written only after the line before it. So a crash can only cut or damage the last one, whose steps were not
 * acknowledged. A power cut may also leave zero bytes instead of the lines after the last `fsync`. The first line is on
 * the disk before the second is written.
 */

const header = { millrace: "journal", version: 1 } as const;

/** A step that began, or one that was recorded. */
export type JournalEntry = readonly [name: string] | readonly [name: string, value: JsonValue];

export interface JournalRecords {
  /** The JSON text of each recorded step. */
  readonly records: Map<string, string>;
  /** How often each step has begun. */
  readonly begun: Map<string, number>;
  /** The size of the valid part in bytes. 0 for a new journal. */
  readonly size: number;
}

export function headerLine(): string {
  return toLine(JSON.stringify(header));
}

/** @param entries the JSON text of each */
export function entriesLine(entries: readonly string[]): string {
  return toLine(`[${entries.join(",")}]`);
}

export function recordEntry(name: string, text: string): string {
  return `[${JSON.stringify(name)},${text}]`;
}

export function beginEntry(name: string): string {
  return `[${JSON.stringify(name)}]`;
}

/**
 * Reads a journal, without the lines that a crash has damaged at its end.
 *
 * @throws {DurableError} `corrupt` if another line is wrong, or if the file is no journal of this version
 */
export function readJournal(bytes: Buffer, path: string): JournalRecords {
  const records = new Map<string, string>();
  const begun = new Map<string, number>();
  let size = 0;
  let wrong: { readonly number: number; readonly hasZeros: boolean } | undefined;
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    number++;
    const line = bytes.subarray(start, end === -1 ? bytes.length : end);
    const json = end === -1 ? undefined : readLine(line);
    if (wrong !== undefined && (json !== undefined || !wrong.hasZeros)) throw damaged(path, wrong.number);
    if (json === undefined) {
      if (number === 1 && bytes.length > headerLine().length) throw damaged(path, number);
      wrong ??= { number, hasZeros: line.includes(0) };
    } else {
      if (number === 1) checkHeader(json, path);
      else add(json, { path, line: number }, records, begun);
      size = end + 1;
    }
    if (end === -1) break;
    start = end + 1;
  }
  return { records, begun, size };
}

function damaged(path: string, line: number): DurableError {
  return new DurableError(
    "corrupt",
    `${path}: line ${line} does not match its checksum, and no crash leaves such a file. Restore it from a backup.`,
  );
}

/** The entries of the last line, if it is complete. Reads nothing else. */
export function lastEntries(tail: Buffer): readonly JournalEntry[] {
  const end = tail.lastIndexOf(0x0a);
  if (end <= 0) return [];
  const start = tail.lastIndexOf(0x0a, end - 1);
  const json = start === -1 ? undefined : readLine(tail.subarray(start + 1, end));
  const parsed = json === undefined ? undefined : parsedJson(json);
  return isEntries(parsed) ? parsed : [];
}

function isEntries(value: unknown): value is readonly JournalEntry[] {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && typeof entry[0] === "string");
}

/** A line that another program wrote may have a checksum, too. */
function add(
  json: string,
  { path, line }: { readonly path: string; readonly line: number },
  records: Map<string, string>,
  begun: Map<string, number>,
): void {
  const entries = parsedJson(json);
  try {
    if (!isEntries(entries)) throw new TypeError("These are no entries.");
    for (const [name, value] of entries) {
      if (value === undefined) begun.set(name, (begun.get(name) ?? 0) + 1);
      else records.set(name, JSON.stringify(value)); // a RangeError for a value that is deeper than any we write
    }
  } catch (cause) {
    throw new DurableError(
      "corrupt",
      `${path}: line ${line} is no list of steps. Only this package may write to the file.`,
      { cause },
    );
  }
}

function checkHeader(json: string, path: string): void {
  const { millrace, version } = Object(parsedJson(json)) as Partial<Record<keyof typeof header, unknown>>;
  if (millrace === header.millrace && version === header.version) return;
  throw new DurableError(
    "corrupt",
    `${path} is no journal of version ${header.version}: its first line is ${json.slice(0, 100)}.`,
  );
}

function toLine(json: string): string {
  return `${sha256(json, digits)} ${json}\n`;
}

function readLine(line: Buffer): string | undefined {
  const text = line.toString("utf8");
  const json = text.slice(digits + 1);
  return text[digits] === " " && text.slice(0, digits) === sha256(json, digits) ? json : undefined;
}

const digits = 16;

import { keptPaths, lastPart, longestPlace } from "../tree/last-part.js";
import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../json/patch/patch.js";
import { isContainer } from "../json/value.js";
import { childPointer, parentPointer } from "../tree/pointer.js";
import { ClientError } from "./errors.js";

/**
 * Returns a function that takes the lines of a stream of patches, and returns the event that a line completes, if it is
 * a known one. Reads server-sent events (WHATWG HTML, section 9.2) and the lines of the compact wire among them
 * (docs/protocols/compact-wire.md). `eventsource-parser` would be a third of the client's byte limit; this reader is
 * tested against it.
 */
export function entryReader(maxLength: number): (line: string) => PatchEntry | undefined {
  const operationsOf = compactReader();
  let fields: Partial<Record<string, string>> = {};
  let next = "1";
  return (line) => {
    const [, field, value = ""] = /^(event|data|id)(?:: ?(.*))?$/s.exec(line) ?? [];
    const { event, data, id = next } = fields;
    if (field) {
      fields[field] = field === "data" && data !== undefined ? `${data}\n${value}` : value;
      checkEventLength(fields[field], maxLength);
    } else if (!line) {
      const { id } = fields;
      fields = {};
      if (data !== undefined) return entryOf(event, data, id);
    } else if (/^["[{\d-]/.test(line)) {
      fields = {};
      // An id that is too long for a header is not counted on: it may be as long as an event, for each of many lines.
      next = id.length > 999 ? id : id.replace(/^\d+/, (number) => `${+number + 1}`);
      return entryOf("", line, id, operationsOf);
    }
    return undefined;
  };
}

/** @throws {ClientError} `protocol` */
export function checkEventLength({ length }: string, maxLength: number): void {
  if (length > maxLength)
    throw new ClientError("protocol", `An event is longer than ${maxLength} characters.`);
}

/**
 * Reads an event. Returns `undefined` for an unknown type, which a newer server may send. Without a type, it is a patch.
 *
 * @throws {ClientError} `protocol` if the data does not match the type
 */
function entryOf(
  type: string | undefined,
  data: string,
  id = "",
  read: (data: string) => unknown = JSON.parse,
): PatchEntry | undefined {
  const isPatch = !type || type === "message";
  if (!isPatch && type !== "done" && type !== "error") return undefined;
  let value: unknown;
  try {
    value = read(data);
  } catch {
    // reported below
  }
  if (!isContainer(value) || Array.isArray(value) !== isPatch)
    throw new ClientError("protocol", `Expected a patch, but got: ${data.slice(0, 100)}`);
  if (isPatch) return { type: "patch", id, patch: value as unknown as readonly AnyPatchOperation[] };
  const { reason, code, message } = value as Readonly<Record<string, unknown>>;
  return type === "done"
    ? { type, reason: reason === "stopped" ? reason : "complete" }
    : { type: "error", code: textOf(code), message: textOf(message) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns a function that reads patches from the lines of the compact wire; `undefined` for one that is too expensive. */
function compactReader(): (line: string) => readonly unknown[] | undefined {
  let place = "";
  const paths: string[] = [];
  let count = 0;
  return (line) => {
    const operations: unknown[] = [];
    let before: unknown;
    for (const item of JSON.parse(`[${line}]`) as unknown[]) {
      if (before === 0) {
        const { path, value } = item as { readonly path: string; readonly value?: unknown };
        operations.push(item);
        ({ place } = lastPart((paths[count++ % keptPaths] = path), value));
      } else if (typeof item === "number" && item <= 0) {
        if (item < 0) place = paths[-1 - item] as string;
      } else if (place.length > longestPlace && line !== "{}") return undefined;
      else if (typeof item === "number") for (let up = item; up-- > 0 && place;) place = parentPointer(place);
      else if (typeof item === "string") operations.push({ op: "append", path: place, value: item });
      else {
        const container = parentPointer(place);
        let index = +place.slice(container.length + 1);
        for (const [key, value] of Object.entries(item as Readonly<Record<string, unknown>>)) {
          const path = childPointer(container, Array.isArray(item) ? ++index : key);
          operations.push({ op: "add", path, value });
          ({ place } = lastPart(path, value));
        }
      }
      before = item;
    }
    return operations;
  };
}

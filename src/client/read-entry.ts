import type { PatchEntry } from "../json/patch-entry.js";
import type { JsonPatch } from "../json/patch.js";
import type { SseEvent } from "../stream/sse-reader.js";
import { ClientError } from "./errors.js";

/**
 * What a server-sent event says; `undefined` for one of a name that we do not know, which a later server may send.
 *
 * @throws {ClientError} `protocol` if it is not what its name says
 */
export function readEntry({ event = "message", data, id = "" }: SseEvent): PatchEntry | undefined {
  if (event === "message") return { type: "patch", id, patch: read(data, Array.isArray) as JsonPatch };
  if (event === "done") {
    const { reason } = read(data, isObject) as Fields;
    return { type: "done", reason: reason === "stopped" ? reason : "complete" };
  }
  if (event === "error") {
    const { code, message } = read(data, isObject) as Fields;
    return { type: "error", code: String(code), message: String(message) };
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function read(data: string, is: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(data);
    if (is(value)) return value;
  } catch {
    // said below
  }
  throw new ClientError(
    "protocol",
    `Expected an event of a stream of patches, but got: ${data.slice(0, 100)}`,
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

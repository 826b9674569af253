import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { ClientError } from "./errors.js";
import type { SseEvent } from "./sse-reader.js";

/**
 * Reads a server-sent event. Returns `undefined` for an unknown event name, which a newer server may send.
 *
 * @throws {ClientError} `protocol` if the data does not match the event name
 */
export function readEntry({ event = "message", data, id = "" }: SseEvent): PatchEntry | undefined {
  const isPatch = event === "message";
  if (!isPatch && event !== "done" && event !== "error") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    // reported below
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isPatch)
    throw new ClientError("protocol", `Expected a patch event, but got: ${data.slice(0, 100)}`);
  if (isPatch) return { type: "patch", id, patch: value as JsonPatch };
  const { reason, code, message } = value as Readonly<Record<string, unknown>>;
  return event === "done"
    ? { type: event, reason: reason === "stopped" ? reason : "complete" }
    : { type: event, code: String(code), message: String(message) };
}

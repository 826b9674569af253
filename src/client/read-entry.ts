import type { PatchEntry } from "../json/patch/patch-entry.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { ClientError } from "./errors.js";
import type { SseEvent } from "./sse-reader.js";

/**
 * What a server-sent event says; `undefined` for one of a name that we do not know, which a later server may send.
 *
 * @throws {ClientError} `protocol` if it is not what its name says
 */
export function readEntry({ event = "message", data, id = "" }: SseEvent): PatchEntry | undefined {
  const isPatch = event === "message";
  if (!isPatch && event !== "done" && event !== "error") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    // said below
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isPatch)
    throw new ClientError(
      "protocol",
      `Expected an event of a stream of patches, but got: ${data.slice(0, 100)}`,
    );
  if (isPatch) return { type: "patch", id, patch: value as JsonPatch };
  const { reason, code, message } = value as Readonly<Record<string, unknown>>;
  return event === "done"
    ? { type: event, reason: reason === "stopped" ? reason : "complete" }
    : { type: event, code: String(code), message: String(message) };
}

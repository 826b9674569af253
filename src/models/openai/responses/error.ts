import { shortExcerpt, ModelError } from "../../contract/errors.js";
import { isRecord, type Loose, asRecord } from "../../loose.js";
import { readProviderError, streamError } from "../../http/provider-error.js";

/**
 * The error for an event that is one: `error`, with its fields beside the type or inside `error`; `response.failed`; or
 * what some servers send instead of an event. `protocol` if it is none of these.
 */
export function toResponseError(event: Loose): ModelError {
  const { type, response } = event;
  const failure =
    type === "response.failed" ? (asRecord(response)["error"] ?? "the response has failed") : undefined;
  const flat = type === "error" && !isRecord(event["error"]) ? event : undefined;
  const inside = failure ?? flat;
  const error = readProviderError(inside === undefined ? event : { error: inside });
  if (error !== undefined) return streamError(error);
  const excerpt = shortExcerpt(JSON.stringify(event));
  return new ModelError("protocol", `Expected an event of a response, but got: ${excerpt}`, { excerpt });
}

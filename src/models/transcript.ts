import { MillraceError } from "../errors.js";
import { type JsonObject, type JsonValue, withoutUndefined } from "../json/value.js";
import { ModelError, type ModelErrorCode, type ModelErrorDetails } from "./contract/errors.js";
import { fieldOf, isInstance } from "../text/thrown.js";
import { messageOf } from "../text/excerpt.js";
import { isRecord, type Loose } from "./loose.js";

/*
 * A transcript is JSON Lines:
 *
 *   {"millrace":"transcript","version":1}
 *   {"t":0.4,"value":{"content":[{"type":"text","text":"Hel"}]}}
 *   {"t":12,"value":{"content":[{"type":"text","text":"lo"}]}}
 *   {"t":12.3,"end":true}
 *
 * `t` is in milliseconds since the first item was requested. The last line states how the stream ended: `end`, `error`,
 * or `left` if the reader stopped early. A transcript without such a line is truncated.
 */

export const transcriptHeader = { millrace: "transcript", version: 1 } as const;

export type TranscriptLine = { readonly t: number } & ({ readonly value: unknown } | TranscriptEnd);

export type TranscriptEnd = { readonly end: true } | { readonly left: true } | { readonly error: JsonValue };

/** An error as JSON, with all details of a `ModelError`. Other thrown values become `{thrown}`. */
export function errorToJson(error: unknown, depth = 0): JsonObject {
  if (!isInstance(error, Error)) return { thrown: messageOf(error) };
  const [name, code, cause] = ["name", "code", "cause"].map((key) => fieldOf(error, key));
  const { name: _name, code: _code, ...details } = isInstance(error, ModelError) ? error : { name, code };
  return withoutUndefined({
    name: typeof name === "string" ? name : "Error",
    code: typeof code === "string" ? code : undefined,
    message: messageOf(error),
    ...details,
    cause: cause === undefined || depth === maxCauses ? undefined : errorToJson(cause, depth + 1),
  }) as JsonObject;
}

/** Restores the error that `errorToJson` wrote: a `ModelError`, or else an `Error` with its name and code. */
export function errorFromJson(json: unknown): unknown {
  if (!isRecord(json)) return new Error(messageOf(json));
  if ("thrown" in json) return json["thrown"];
  const { name, code, message, cause } = json;
  const text = typeof message === "string" ? message : "";
  const because = cause === undefined ? undefined : errorFromJson(cause);
  if (name === "ModelError") {
    return new ModelError(code as ModelErrorCode, text, {
      ...(json as Loose & ModelErrorDetails),
      cause: because,
    });
  }
  const options = because === undefined ? undefined : { cause: because };
  const error = typeof code === "string" ? new MillraceError(code, text, options) : new Error(text, options);
  return Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
}

const maxCauses = 4;

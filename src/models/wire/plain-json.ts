import type { JsonValue } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { jsonText } from "../../text/json-text.js";
import { isInstance } from "../../text/thrown.js";
import { ModelError } from "../contract/errors.js";
import { isRecord, nonEmptyText } from "../loose.js";

/** A foreign value as JSON. A value that JSON cannot represent, or that is nested deeply, becomes a string. */
export function plainJson(value: unknown): JsonValue {
  if (isInstance(value, Error)) return messageOf(value);
  const { text, problem } = jsonText(value, { maxDepth: 1_000 });
  return problem === undefined ? (JSON.parse(text) as JsonValue) : excerpt(value);
}

/** The arguments of a call as a server sent them: text, or a value, which is invalid if it is no object. */
export function argumentsIn(sent: unknown): string | undefined {
  return typeof sent === "string" || sent === null || sent === undefined
    ? nonEmptyText(sent)
    : argumentText(sent);
}

/**
 * A deep value is written completely: whoever reads the text limits the depth. A number that JSON does not have, such as
 * `1e400` after `JSON.parse()`, makes the text invalid, so that no tool runs with null for it.
 */
export function argumentText(args: unknown): string {
  const { text, problem, cause } = jsonText(args, { nonFinite: true });
  if (problem === undefined) return text;
  const message = `The arguments of a tool call cannot be written as JSON: ${problem}.`;
  throw new ModelError("protocol", message, { cause });
}

/** The fields of a foreign object that have a value, except for `without`. `undefined` if no field is left. */
export function plainFields(value: unknown, without: ReadonlySet<unknown> = none): Metadata | undefined {
  if (!isRecord(value)) return undefined;
  const fields = Object.entries(value).filter(
    ([key, field]) => field !== undefined && field !== null && !without.has(key),
  );
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map(([key, field]) => [key, plainJson(field)]));
}

const none: ReadonlySet<unknown> = new Set();

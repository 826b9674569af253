import { cut } from "./cut.js";
import { jsonText } from "./json-text.js";
import { isInstance } from "./thrown.js";
import { lazyPattern } from "./lazy-pattern.js";

/**
 * A foreign value in an error message, on one line and short: a text as it is, any other value as JSON.
 *
 * @param length the maximum number of characters before "…"
 */
export function excerpt(value: unknown, length = 300): string {
  const text = typeof value === "string" ? value : valueText(value, length);
  return cut(text.trim().replace(blank(), " "), length);
}

const blank = lazyPattern(String.raw`[\s\p{Cc}]+`, "gu");

/** The message of anything that was thrown. Never throws, although a getter may, and a proxy may be revoked. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown = isInstance(thrown, Error) ? thrown.message : thrown;
    return typeof message === "string" ? message : excerpt(message);
  } catch {
    return "an error that cannot be read";
  }
}

function valueText(value: unknown, length: number): string {
  const { text, problem } = jsonText(value, { maxLength: length + 1 });
  if (text === "") return value === undefined ? "undefined" : `a value of type ${typeof value}`;
  // Too long for the limit is no problem here: cut() adds the "…".
  return problem === undefined || text.length > length ? text : `${text}…`;
}

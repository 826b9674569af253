import { parse } from "partial-json";
import type { JsonValue } from "millrace/json";

/** The state of a page that parses the whole text again with each update. Immutable. */
export interface ParsedAgain {
  readonly value: JsonValue | undefined;
  readonly parses: number;
  readonly failures: number;
  /** How many numbers, literals and kinds of values were shown and then replaced by others. */
  readonly takenBack: number;
}

export const notParsed: ParsedAgain = {
  value: undefined,
  parses: 0,
  failures: 0,
  takenBack: 0,
};

/** Parses the text so far with `partial-json`. If that fails, the value of before stays. */
export function parsedAgain(before: ParsedAgain, text: string): ParsedAgain {
  const parses = before.parses + 1;
  try {
    const value = parse(text) as JsonValue;
    const takenBack = before.takenBack + changesOf(before.value, value);
    return { ...before, value, parses, takenBack };
  } catch {
    return { ...before, parses, failures: before.failures + 1 };
  }
}

/** Counts the leaves that are not continued by the new value: `1` became `12`. */
function changesOf(before: JsonValue | undefined, after: JsonValue | undefined): number {
  if (before === undefined || before === after) return 0;
  if (typeof before === "string" && typeof after === "string") return after.startsWith(before) ? 0 : 1;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return 1;
  let changes = 0;
  for (const [key, value] of Object.entries(before)) changes += changesOf(value, after[key]);
  return changes;
}

function isContainer(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null;
}

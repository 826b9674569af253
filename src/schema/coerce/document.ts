import { repair } from "../../lenient/repair.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonValue } from "../../json/value.js";

/** An object or array that a string contains. */
export interface FoundDocument {
  readonly value: JsonValue;
  readonly isRepaired: boolean;
}

/** Reads a string that contains an object or array of JSON, and nothing else. */
export function readDocument(text: string): FoundDocument | undefined {
  if (!mayBecomeDocument(text) || text.trim() === "") return undefined;
  let isRepaired = false;
  const parser = new JsonParser({ repair, onRepair: () => (isRepaired = true) });
  try {
    parser.write(text);
    parser.end();
  } catch {
    return undefined;
  }
  const value = parser.snapshot();
  return value === undefined ? undefined : { value, isRepaired };
}

/** Whether a string that begins with this text may contain a document. Looks at its first characters only. */
export function mayBecomeDocument(text: string): boolean {
  return /^\s{0,100}(?:[[{]|$)/.test(text);
}

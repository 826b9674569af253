import type { FoundDocument } from "../../json/coercion.js";
import type { JsonRepairKind } from "../../json/repair.js";
import { repair } from "../../lenient/repair.js";
import { JsonParser } from "../../json/parser.js";

/** Reads a string that contains an object or array of JSON, and nothing else. */
export function readDocument(text: string): FoundDocument | undefined {
  if (text.trim() === "") return undefined;
  let mayBeText = false;
  const parser = new JsonParser({ repair, onRepair: ({ kind }) => (mayBeText ||= !repairsOfData.has(kind)) });
  try {
    parser.write(text);
    parser.end();
  } catch {
    return undefined;
  }
  const value = parser.snapshot();
  return value === undefined ? undefined : { value, mayBeText };
}

/** Repairs that text in brackets does not need: of quotes that a string has, and of what is between values. */
const repairsOfData: ReadonlySet<JsonRepairKind> = new Set<JsonRepairKind>([
  ...(["quote", "escape", "inner_quote", "control_character", "literal", "number"] as const),
  ...(["trailing_comma", "extra_comma", "missing_comma", "missing_closer", "white_space"] as const),
]);

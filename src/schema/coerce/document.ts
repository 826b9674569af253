import type { FoundDocument } from "../../json/coercion.js";
import { repair } from "../../lenient/repair.js";
import { JsonParser } from "../../json/parser.js";

/** Reads a string that contains an object or array of JSON, and nothing else. */
export function readDocument(text: string): FoundDocument | undefined {
  if (text.trim() === "") return undefined;
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

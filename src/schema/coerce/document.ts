import { JsonParser } from "../../json/parser.js";
import { type FoundDocument, mayBecomeDocument } from "./may-become-document.js";

/** Reads a string that contains an object or array of JSON, and nothing else. */
export function readDocument(text: string): FoundDocument | undefined {
  if (!mayBecomeDocument(text) || text.trim() === "") return undefined;
  let isRepaired = false;
  const parser = new JsonParser({ repair: true, onRepair: () => (isRepaired = true) });
  try {
    parser.write(text);
    parser.end();
  } catch {
    return undefined;
  }
  const value = parser.snapshot();
  return value === undefined ? undefined : { value, isRepaired };
}

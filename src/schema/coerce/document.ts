import type { FoundDocument } from "../../json/coercion.js";
import type { JsonRepairKind } from "../../json/repair.js";
import { sureDocument } from "../../find/sure-document.js";
import { mayBecomeDocument, separators } from "./may-become-other.js";

/**
 * Reads a string that contains an object or array of JSON, maybe in a fence, and nothing else. These are also arrays:
 *
 * - `('a', 'b')` and `{'a', 'b'}`, as in Python
 * - `{"a": 1}, {"a": 2}`
 * - `'a', 'b'` and `1, 2`
 */
export function readDocument(text: string): FoundDocument | undefined {
  const trimmed = text.trim().replace(fence, "$1");
  if (!mayBecomeDocument(trimmed)) return quotedList(trimmed) ?? plainList(trimmed);
  const found = read(trimmed);
  if (found !== undefined || !trimmed.startsWith("{")) return found;
  return read(`[${trimmed}]`) ?? (trimmed.endsWith("}") ? read(`[${trimmed.slice(1, -1)}]`) : undefined);
}

const fence = /^```(?:\w*\s)?\s*([^]*[^\s`])\s*```$/;

function read(text: string): FoundDocument | undefined {
  const found = sureDocument(text);
  return (
    found && { value: found.value, mayBeText: found.repairs.some(({ kind }) => !repairsOfData.has(kind)) }
  );
}

/** Repairs that text in brackets does not need: of quotes that a string has, and of what is between values. */
const repairsOfData: ReadonlySet<JsonRepairKind> = new Set<JsonRepairKind>([
  ...(["quote", "escape", "inner_quote", "control_character", "literal", "number", "parentheses"] as const),
  ...(["trailing_comma", "extra_comma", "missing_comma", "missing_closer", "white_space"] as const),
]);

/** `'a', 'b'` */
function quotedList(text: string): FoundDocument | undefined {
  if (!/^["'\u201c\u2018]/.test(text)) return undefined;
  const found = read(`[${text}]`);
  return found?.mayBeText === false ? found : undefined;
}

/**
 * `1, 2; 3`, split at the separator that no value contains: `1,5; 2,5` are two numbers, and so are `1,000, 2,000`. A
 * comma between digits may belong to a number, unless all of them are alike: `1,2,3`.
 */
function plainList(text: string): FoundDocument | undefined {
  const separator = separators.find((it) => it.test(text));
  const values = text.replace(/[,;；؛，、،]$/, "");
  const parts = separator === undefined ? [] : values.split(separator).map((part) => part.trim());
  const isList = parts.length > 1 && parts.every((part) => part !== "" && !/^0\d/.test(part));
  return isList ? { value: parts, mayBeText: true } : undefined;
}

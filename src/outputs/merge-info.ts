import { isObject, type JsonObject, type JsonValue, setMember } from "../json/value.js";
import type { Metadata } from "../messages/blocks/metadata.js";

/**
 * Merges the data of two chunks: objects by key, at any depth, and lists one after the other. Of other values the later
 * wins. `null` is the same as nothing. Values of different kinds are not merged: a list wins over an object, and both
 * over others, so that merging is associative.
 */
export function mergeInfo(a: Metadata | undefined, b: Metadata | undefined): Metadata | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  return mergeObjects(a, b, 0);
}

function mergeObjects(a: Metadata, b: Metadata, depth: number): JsonObject {
  const merged: JsonObject = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    setMember(merged, key, before === undefined ? value : mergeValues(before, value, depth + 1));
  }
  return merged;
}

function mergeValues(a: JsonValue, b: JsonValue, depth: number): JsonValue {
  if (rank(a) !== rank(b)) return rank(a) > rank(b) ? a : b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return isObject(a) && isObject(b) && depth < maxDepth ? mergeObjects(a, b, depth) : b;
}

function rank(value: JsonValue): number {
  if (value === null) return 0;
  if (Array.isArray(value)) return 3;
  return typeof value === "object" ? 2 : 1;
}

/** Objects nested deeper are not merged: the later one wins. */
const maxDepth = 500;

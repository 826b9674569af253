import { isInside } from "../../tree/pointer.js";
import type { JsonValue } from "../value.js";
import type { JsonPatchOperation } from "./patch.js";

/**
 * Drops operations that a later one overrides: if a key is repeated within one patch, only its last value counts, and
 * operations at and below its first value are removed.
 *
 * `{"a": 1, "a": 2` in one chunk logs `add` of 1 and `replace` by 2. One `{op: "add", path: "/a", value: 2}` remains.
 *
 * @param operations those of a builder: as it logs only values in containers of earlier patches, which can close but not
 *   open again, each is in the same container as the one before, or in one around that
 */
export function minimalPatch(operations: readonly JsonPatchOperation[]): JsonPatchOperation[] {
  const kept = new Map<string, JsonPatchOperation>();
  for (const operation of operations) {
    const { op, path } = operation;
    // The operations inside the replaced value are the first ones.
    if (op === "replace") {
      for (const first of kept.keys()) {
        if (!isInside(first, path)) break;
        kept.delete(first);
      }
    }
    // The reader has not seen an added member yet, so one operation adds it with its last value, at its first position.
    const isNew = kept.get(path)?.op === "add";
    if (!isNew) kept.delete(path);
    kept.set(path, isNew ? { ...operation, op: "add" } : operation);
  }
  return [...kept.values()];
}

/** An operation that was not taken yet, so its value may still be replaced. */
export interface PendingOperation {
  readonly op: JsonPatchOperation["op"];
  readonly path: string;
  value: JsonValue;
}

/** Most tokens change nothing. They share this list, so it is frozen. */
export const noOperations: JsonPatchOperation[] = Object.freeze<JsonPatchOperation[]>(
  [],
) as JsonPatchOperation[];

import type { JsonValue } from "../value.js";

/**
 * What a stream does to a document: the operations of RFC 6902 that a growing value needs, and `append`.
 *
 * - `add`: a property or an array element appears.
 * - `replace`: the root appears (`path: ""`), a string grows, a key is given a second time.
 * - `append` (only with the option `append`): a string grows by `value`. RFC 6902 has no such operation; with `replace`
 *   alone the bytes on the wire are quadratic in the length of the string. `expandAppends()` turns it into `replace`.
 */
export type JsonPatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "append"; readonly path: string; readonly value: string };

/** Operations to be applied in order. */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * Drops what a later operation undoes: when a key came twice within one patch, only its last value counts, and the
 * operations at and below its first value go.
 */
export function minimalPatch(operations: readonly JsonPatchOperation[]): JsonPatchOperation[] {
  const kept: (JsonPatchOperation | undefined)[] = [];
  /** Where a later `replace` stands, and at which place in `kept`. */
  const replaced = new Map<string, number>();
  for (let i = operations.length - 1; i >= 0; i--) {
    const operation = operations[i] as JsonPatchOperation;
    const at = firstPrefix(operation.path, replaced);
    if (at === undefined) {
      if (operation.op === "replace") replaced.set(operation.path, kept.length);
      kept.push(operation);
    } else if (operation.op === "add") {
      // The taker has never seen the member, so the last value is its first, at the place that the first one had.
      const last = kept[at] as JsonPatchOperation;
      if (last.path !== operation.path) continue;
      kept[at] = undefined;
      kept.push({ op: "add", path: last.path, value: last.value });
    }
  }
  return kept.filter((operation) => operation !== undefined).reverse();
}

/** What the map holds for the pointer or the nearest pointer above it. */
function firstPrefix(pointer: string, map: ReadonlyMap<string, number>): number | undefined {
  if (map.size === 0) return undefined;
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const found = map.get(pointer.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

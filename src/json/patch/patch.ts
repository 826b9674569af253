import { added } from "../../stream/added.js";
import type { JsonValue } from "../value.js";

/**
 * An operation that a stream applies to a document: those of RFC 6902 that a growing value needs, and `append`.
 *
 * - `add`: a property or an array element appears.
 * - `replace`: the root appears (`path: ""`), a string grows, or a key is repeated.
 * - `append` (only with the option `append`): a string grows by `value`. RFC 6902 has no such operation; with `replace`
 *   alone the bytes on the wire are quadratic in the length of the string. `expandAppends()` turns it into `replace`.
 */
export type JsonPatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "append"; readonly path: string; readonly value: string };

/** An operation of RFC 6902, or `append`, which extends a string. */
export type AnyPatchOperation =
  | JsonPatchOperation
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string }
  | { readonly op: "test"; readonly path: string; readonly value: JsonValue };

/** Operations, applied in order. */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * Drops operations that a later one overrides: if a key is repeated within one patch, only its last value counts, and
 * operations at and below its first value are removed.
 */
export function minimalPatch(operations: readonly JsonPatchOperation[]): JsonPatchOperation[] {
  const kept: (JsonPatchOperation | undefined)[] = [];
  /** The pointers of later `replace` operations, with their index in `kept`. */
  const replaced = new Map<string, number>();
  for (let i = operations.length - 1; i >= 0; i--) {
    const operation = operations[i] as JsonPatchOperation;
    const at = firstPrefix(operation.path, replaced);
    if (at === undefined) {
      if (operation.op === "replace") replaced.set(operation.path, kept.length);
      kept.push(operation);
    } else if (operation.op === "add") {
      // The consumer has not seen the member yet, so the last value takes the position of the first.
      const last = kept[at] as JsonPatchOperation;
      if (last.path !== operation.path) continue;
      kept[at] = undefined;
      kept.push({ op: "add", path: last.path, value: last.value });
    }
  }
  return kept.filter((operation) => operation !== undefined).reverse();
}

/** Returns the entry of the pointer or of its nearest ancestor. */
function firstPrefix(pointer: string, map: ReadonlyMap<string, number>): number | undefined {
  if (map.size === 0) return undefined;
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const found = map.get(pointer.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The operations since the last patch. */
export class PatchLog {
  private operations: JsonPatchOperation[] = noOperations;
  /** Whether a key was repeated, so that two operations may have the same path. */
  private repeated = false;

  /** @param replaces whether the operation replaces a complete value, because its key was repeated */
  add(operation: JsonPatchOperation, replaces: boolean): void {
    if (replaces) this.repeated = true;
    this.operations = added(this.operations, operation);
  }

  take(): JsonPatchOperation[] {
    const { operations, repeated } = this;
    if (operations === noOperations) return noOperations;
    this.operations = noOperations;
    this.repeated = false;
    return repeated ? minimalPatch(operations) : operations;
  }
}

/** Most tokens change nothing. They share this list, so it is frozen. */
const noOperations: JsonPatchOperation[] = Object.freeze<JsonPatchOperation[]>([]) as JsonPatchOperation[];

/** What a parameter for patches has to be: a stream of anything else is told which view to write. */
export type PatchesOnly<Source> =
  Source extends AsyncIterable<infer Item>
    ? [Item] extends [readonly AnyPatchOperation[]]
      ? Source
      : "These are not patches. Write .patches of the parser, the call or the agent."
    : Source;

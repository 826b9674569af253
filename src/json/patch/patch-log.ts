import { added } from "../../stream/added.js";
import { isInside, parentPointer } from "../../tree/pointer.js";
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
  const kept: (JsonPatchOperation | undefined)[] = [];
  /** The pointers of later `replace` operations, with their index in `kept`. */
  const replaced = new Map<string, number>();
  let container = "";
  /** The replaced value around all earlier operations. */
  let around: string | undefined;
  for (let i = operations.length - 1; i >= 0; i--) {
    const operation = operations[i] as JsonPatchOperation;
    const { path } = operation;
    if (isInside(path, container)) {
      const end = path.indexOf("/", container.length + 1);
      if (end > 0 && around === undefined && replaced.has(path.slice(0, end))) around = path.slice(0, end);
    }
    container = parentPointer(path);
    if (around !== undefined && isInside(path, around)) continue;
    const at = path === "" ? undefined : replaced.get(path);
    if (at === undefined) {
      if (operation.op === "replace") replaced.set(path, kept.length);
      kept.push(operation);
    } else if (operation.op === "add") {
      // The reader has not seen the member yet, so one operation adds it with its last value, at its first position.
      const last = kept[at] as JsonPatchOperation;
      kept[at] = undefined;
      kept.push({ op: "add", path, value: last.value });
    }
  }
  return kept.filter((operation) => operation !== undefined).reverse();
}

/**
 * The operations since the last patch. The builder extends it, because each object takes memory in each open stream.
 */
export class PatchLog {
  private operations: JsonPatchOperation[] = noOperations;
  /** Whether a key was repeated, so that two operations may have the same path. */
  private repeated = false;

  /** @param repeatsKey whether the operation replaces a complete value, because its key was repeated */
  protected log(operation: JsonPatchOperation, repeatsKey: boolean): void {
    if (repeatsKey) this.repeated = true;
    this.operations = added(this.operations, operation);
  }

  protected get logIsEmpty(): boolean {
    return this.operations === noOperations;
  }

  protected takeLog(): JsonPatchOperation[] {
    const { operations, repeated } = this;
    if (operations === noOperations) return noOperations;
    this.operations = noOperations;
    this.repeated = false;
    return repeated ? minimalPatch(operations) : operations;
  }
}

/** Most tokens change nothing. They share this list, so it is frozen. */
const noOperations: JsonPatchOperation[] = Object.freeze<JsonPatchOperation[]>([]) as JsonPatchOperation[];

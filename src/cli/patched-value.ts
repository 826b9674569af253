import { setMember } from "../json/frame.js";
import type { JsonPatch, JsonPatchOperation } from "../json/patch.js";
import { parsePointer, valueAt } from "../json/pointer.js";
import type { JsonArray, JsonObject, JsonValue } from "../json/value.js";
import type { Progress } from "./render-value.js";

/**
 * The reader's side of a stream of patches: the value that they make, changed in place, as what is painted thirty times
 * a second needs no history. Each patch costs its own size, however large the value has become.
 */
export class PatchedValue {
  /** Live; `undefined` before the first patch. */
  value: JsonValue | undefined;

  /**
   * How far it is. A string that a patch has just given its last characters counts as growing until the next patch, as
   * patches do not say where a string ends.
   */
  progress: Progress = "open";

  apply(patch: JsonPatch): void {
    for (const operation of patch) this.applyOne(operation);
    const last = patch.at(-1);
    if (last !== undefined) this.progress = typeof endOf(last.value) === "string" ? "growing" : "open";
  }

  private applyOne({ op, path, value }: JsonPatchOperation): void {
    const keys = parsePointer(path);
    const key = keys.pop();
    // What a patch brings may grow in place later, and the patch is not ours to change.
    const own = structuredClone(value);
    if (key === undefined) {
      this.value = op === "append" ? (this.value as string) + value : own;
      return;
    }
    const parent = valueAt(this.value, keys) as JsonObject | JsonArray;
    if (Array.isArray(parent)) {
      const index = key === "-" ? parent.length : Number(key);
      parent[index] = op === "append" ? (parent[index] as string) + value : own;
    } else setMember(parent, key, op === "append" ? (parent[key] as string) + value : own);
  }
}

/** The value at the open end: the last child of the last child, and so on. */
function endOf(value: JsonValue): JsonValue | undefined {
  let end: JsonValue | undefined = value;
  while (typeof end === "object" && end !== null) end = Object.values(end).at(-1);
  return end;
}

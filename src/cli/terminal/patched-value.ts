import { patched } from "../../json/patch/apply-patch.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { ValueProgress } from "./render-value.js";

/**
 * Applies a stream of patches to a value. Changes the value in place, because a live view needs no history, so the cost
 * of a patch does not depend on the size of the value.
 */
export class PatchedValue {
  /** The current value, changed in place; `undefined` before the first patch. */
  value: JsonValue | undefined;

  /**
   * How complete the value is. Patches do not say where a string ends, so a finished string counts as growing until the
   * next patch.
   */
  progress: ValueProgress = "open";

  /** Containers that no patch refers to, so changing them is safe. */
  private readonly own = new WeakSet();

  apply(patch: JsonPatch): void {
    this.value = patched(this.value, patch, this.own);
    const last = patch.at(-1);
    if (last !== undefined) this.progress = typeof endOf(last.value) === "string" ? "growing" : "open";
  }
}

/** The value at the open end, found by following the last child from the root down. */
function endOf(value: JsonValue): JsonValue | undefined {
  let end: JsonValue | undefined = value;
  while (typeof end === "object" && end !== null) end = Object.values(end).at(-1);
  return end;
}

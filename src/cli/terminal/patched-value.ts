import { patched } from "../../json/patch/apply-patch.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
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

  /** The containers that no patch holds, which may be changed. */
  private readonly own = new WeakSet();

  apply(patch: JsonPatch): void {
    this.value = patched(this.value, patch, this.own);
    const last = patch.at(-1);
    if (last !== undefined) this.progress = typeof endOf(last.value) === "string" ? "growing" : "open";
  }
}

/** The value at the open end: the last child of the last child, and so on. */
function endOf(value: JsonValue): JsonValue | undefined {
  let end: JsonValue | undefined = value;
  while (typeof end === "object" && end !== null) end = Object.values(end).at(-1);
  return end;
}

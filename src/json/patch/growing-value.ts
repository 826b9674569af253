import type { JsonValue } from "../value.js";
import { patched } from "./apply-patch.js";
import type { AnyPatchOperation } from "./patch.js";

/**
 * A value that grows by patches. A container that a snapshot shows is copied by the next patch that changes it, once.
 * So a reader pays for the snapshots that it takes, and everybody else only for the patches.
 *
 * `apply([{ op: "replace", path: "", value: { tags: [] } }])`, `snapshot()` is `{ tags: [] }`, `apply([{ op: "add",
 * path: "/tags/0", value: "a" }])` copies the object and the array, and the next element goes into that copy.
 */
export class GrowingValue {
  private value: JsonValue | undefined;
  private own = new OwnContainers();

  apply(patch: readonly AnyPatchOperation[]): void {
    this.value = patched(this.value, patch, this.own);
  }

  /** Takes the value back: the next patch sets a new one. */
  reset(): void {
    this.value = undefined;
  }

  /** An immutable value. Unchanged parts are shared with earlier snapshots. */
  snapshot(): JsonValue | undefined {
    this.own = new OwnContainers();
    return this.value;
  }

  /** How many members were copied since the last snapshot. */
  get copiedMembers(): number {
    return this.own.copied;
  }
}

/** The containers that nobody else has, so they may be mutated. */
export class OwnContainers extends WeakSet {
  /** How many members were copied to get them. 25 elements of an array count as one, as in `membersToCopy()`. */
  copied = 0;

  override add(copy: object): this {
    this.copied += Array.isArray(copy) ? copy.length / 25 : Object.keys(copy).length;
    return super.add(copy);
  }
}

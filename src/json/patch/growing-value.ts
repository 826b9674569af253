import { parsePointer } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../value.js";
import { disown, patched } from "./apply-patch.js";
import type { AnyPatchOperation, JsonPatch, StandardPatchOperation } from "./patch.js";

/**
 * A value that grows by patches. A container that a snapshot shows is copied by the next patch that changes it, once.
 * So a reader pays for the snapshots that it takes, and everybody else only for the patches.
 *
 * `apply([{ op: "replace", path: "", value: { tags: [] } }])`, `snapshot()` is `{ tags: [] }`, `apply([{ op: "add",
 * path: "/tags/0", value: "a" }])` copies the object and the array, and the next element goes into that copy.
 */
export class GrowingValue {
  private current: JsonValue | undefined;
  private own = new OwnContainers();

  /** @param initial not mutated */
  constructor(initial?: JsonValue) {
    this.current = initial;
  }

  /** The value so far. Later patches mutate it, so it is read at once. */
  get value(): JsonValue | undefined {
    return this.current;
  }

  apply(patch: readonly AnyPatchOperation[]): void {
    this.current = patched(this.current, patch, this.own);
  }

  /** Applies a patch. Returns it with each `append` as a `replace` with the whole string. */
  expand(patch: JsonPatch): StandardPatchOperation[] {
    return patch.map((operation) => {
      this.apply([operation]);
      if (operation.op !== "append") return operation;
      const { path } = operation;
      return { op: "replace", path, value: valueAt(this.current, parsePointer(path)) as string };
    });
  }

  /** Takes the value back: the next patch sets a new one. */
  reset(): void {
    this.current = undefined;
  }

  /** An immutable value. Unchanged parts are shared with earlier snapshots. */
  snapshot(): JsonValue | undefined {
    this.own = new OwnContainers();
    return this.current;
  }

  /** Makes a part of the value immutable, because others have it too. */
  share(part: JsonValue): void {
    disown(part, this.own);
  }

  /** How many members were copied since the last snapshot. */
  get copiedMembers(): number {
    return this.own.copied;
  }
}

/** The containers that nobody else has, so they may be mutated. */
class OwnContainers extends WeakSet {
  /** How many members were copied to get them. 25 elements of an array count as one, as in `membersToCopy()`. */
  copied = 0;

  override add(copy: object): this {
    this.copied += Array.isArray(copy) ? copy.length / 25 : Object.keys(copy).length;
    return super.add(copy);
  }
}

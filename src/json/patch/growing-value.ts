import { parsePointer } from "../../tree/pointer.js";
import { type JsonArray, type JsonObject, type JsonValue, valueAt } from "../value.js";
import type { Payer } from "../../tree/work-budget.js";
import { disown, patched } from "./apply-patch.js";
import { membersIn, type PatchPayer, patchPayer } from "./patch-work.js";
import { sameData } from "./same-data.js";
import { checkPatchArray } from "./patch-error.js";
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
  private own: OwnContainers;
  private readonly payer: PatchPayer | undefined;

  /**
   * @param initial not mutated
   * @param payer pays for what patches copy, move and compare. Copies for snapshots are free
   */
  constructor(initial?: JsonValue, payer?: Payer) {
    this.current = initial;
    const made = payer && new WeakSet();
    this.own = new OwnContainers(made);
    const paid = payer && patchPayer(payer);
    this.payer = paid && {
      ...paid,
      copy: (container) => (made?.delete(container) === true ? undefined : paid.copy(container)),
    };
  }

  /** The value so far. Later patches mutate it, so it is read at once. */
  get value(): JsonValue | undefined {
    return this.current;
  }

  apply(patch: readonly AnyPatchOperation[]): void {
    checkPatchArray(patch);
    this.current = patched(this.current, patch, this.own, { same: sameData, disown, payer: this.payer });
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
    this.own = new OwnContainers(this.own.made);
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
  /** How many members were copied to get them. 25 elements of an array count as one. */
  copied = 0;
  /** Those that were made, as long as only snapshots have them too. Their next copy is free. */
  readonly made: WeakSet<object> | undefined;

  constructor(made: WeakSet<object> | undefined) {
    super();
    this.made = made;
  }

  override add(copy: JsonArray | JsonObject): this {
    this.copied += membersIn(copy);
    this.made?.add(copy);
    return super.add(copy);
  }

  override delete(shared: object): boolean {
    this.made?.delete(shared);
    return super.delete(shared);
  }
}

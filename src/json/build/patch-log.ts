import { added } from "../../stream/added.js";
import { minimalPatch, type JsonPatchOperation } from "../patch/patch.js";

/** The operations since the last patch. */
export class PatchLog {
  private operations: JsonPatchOperation[] = none;
  /** A key came again: two operations may be about one place. */
  private repeated = false;

  /** @param again whether the operation is about a place that was there */
  note(operation: JsonPatchOperation, again: boolean): void {
    if (again) this.repeated = true;
    this.operations = added(this.operations, operation);
  }

  take(): JsonPatchOperation[] {
    const { operations, repeated } = this;
    if (operations === none) return none;
    this.operations = none;
    this.repeated = false;
    return repeated ? minimalPatch(operations) : operations;
  }
}

/** No operations, which is what most tokens bring: one list for all of them, so it is frozen. */
const none: JsonPatchOperation[] = Object.freeze<JsonPatchOperation[]>([]) as JsonPatchOperation[];

import { added } from "../../stream/added.js";
import { minimalPatch, type JsonPatchOperation } from "../patch/patch.js";

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

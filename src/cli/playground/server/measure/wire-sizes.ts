import { patched } from "../../../../json/patch/apply-patch.js";
import type { AnyPatchOperation } from "../../../../json/patch/patch.js";
import { parentPointer, parsePointer } from "../../../../tree/pointer.js";
import { isObject, type JsonValue, valueAt } from "../../../../json/value.js";

/**
 * Counts the bytes of three ways to send a growing value. The cost is proportional to the patches: the size of a
 * snapshot is computed from the previous size and the patch, without serializing the value.
 */
export class WireSizes {
  /** Bytes of the patches with `append`. */
  append = 0;
  /** Bytes of the patches in plain RFC 6902. */
  replace = 0;
  /** Bytes of the whole value, sent after each patch. */
  snapshot = 0;

  private document: JsonValue | undefined;
  /** Containers that no patch refers to, so they may be mutated. */
  private readonly own = new WeakSet();
  /** Bytes of the current value. */
  private whole = 0;
  /** The growing string, and the bytes between its quotes. */
  private growing = { path: "", bytes: -1 };

  add(patch: readonly AnyPatchOperation[]): void {
    const bytes = bytesOf(patch);
    this.append += bytes;
    this.replace += bytes;
    for (const operation of patch) {
      const growth = this.growth(operation);
      this.document = patched(this.document, [operation], this.own);
      // Operations that take something away are rare, so the value is measured after them.
      this.whole = growth === undefined ? bytesOf(this.document) : this.whole + growth;
    }
    this.snapshot += this.whole;
  }

  /**
   * Returns how many bytes an operation adds to the value, if it only adds something. Call it before applying the
   * operation.
   */
  private growth(operation: AnyPatchOperation): number | undefined {
    const { op, path } = operation;
    if (op === "append") {
      const { value } = operation;
      const before = this.growing.path === path ? this.growing.bytes : -1;
      const bytes = (before < 0 ? insideOf(this.at(path)) : before) + insideOf(value);
      this.growing = { path, bytes };
      this.replace += bytes - insideOf(value) + 1; // "replace" is one letter longer than "append"
      return insideOf(value);
    }
    if (op !== "add" && op !== "replace") {
      this.growing = { path: "", bytes: -1 };
      return undefined;
    }
    const { value } = operation;
    this.growing = { path, bytes: typeof value === "string" ? insideOf(value) : -1 };
    const parent = path === "" ? undefined : this.at(parentPointer(path));
    if (op === "replace" || path === "" || (isObject(parent) && this.at(path) !== undefined)) {
      const before = this.at(path);
      return bytesOf(value) - (before === undefined ? 0 : bytesOf(before));
    }
    const name = Array.isArray(parent) ? 0 : bytesOf(parsePointer(path).at(-1)) + 1;
    return bytesOf(value) + name + (isEmpty(parent) ? 0 : 1);
  }

  private at(path: string): JsonValue | undefined {
    return valueAt(this.document, parsePointer(path));
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes of a string's JSON without the quotes. */
function insideOf(value: JsonValue | undefined): number {
  return bytesOf(value) - 2;
}

function isEmpty(container: JsonValue | undefined): boolean {
  for (const _ in container as object) return false;
  return true;
}

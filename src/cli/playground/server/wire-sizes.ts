import type { JsonPatch, JsonPatchOperation } from "../../../json/patch/patch.js";
import { parsePointer } from "../../../tree/pointer.js";
import { type JsonValue, valueAt } from "../../../json/value.js";
import { PatchedValue } from "../../terminal/patched-value.js";

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

  private readonly document = new PatchedValue();
  /** Bytes of the current value. */
  private whole = 0;
  /** The growing string, and the bytes between its quotes. */
  private growing = { path: "", bytes: -1 };

  add(patch: JsonPatch): void {
    const bytes = bytesOf(patch);
    this.append += bytes;
    this.replace += bytes;
    for (const operation of patch) {
      this.whole += this.growth(operation);
      this.document.apply([operation]);
    }
    this.snapshot += this.whole;
  }

  /** Returns how many bytes an operation adds to the value. Call it before applying the operation. */
  private growth(operation: JsonPatchOperation): number {
    const { op, path, value } = operation;
    if (op === "append") {
      const before = this.growing.path === path ? this.growing.bytes : -1;
      const bytes = (before < 0 ? insideOf(this.at(path)) : before) + insideOf(value);
      this.growing = { path, bytes };
      this.replace += bytes - insideOf(value) + 1; // "replace" is one letter longer than "append"
      return insideOf(value);
    }
    this.growing = { path, bytes: typeof value === "string" ? insideOf(value) : -1 };
    if (op === "replace") {
      const before = this.at(path);
      return bytesOf(value) - (before === undefined ? 0 : bytesOf(before));
    }
    const cut = path.lastIndexOf("/");
    const parent = this.at(path.slice(0, cut));
    const name = Array.isArray(parent) ? 0 : bytesOf(parsePointer(path.slice(cut))[0]) + 1;
    return bytesOf(value) + name + (isEmpty(parent) ? 0 : 1);
  }

  private at(path: string): JsonValue | undefined {
    return valueAt(this.document.value, parsePointer(path));
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

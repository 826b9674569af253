import type { JsonPatch, JsonPatchOperation } from "../../../json/patch/patch.js";
import { parsePointer } from "../../../tree/pointer.js";
import { type JsonValue, valueAt } from "../../../json/value.js";
import { PatchedValue } from "../../terminal/patched-value.js";

/**
 * How many bytes three ways to send a growing value take, summed up patch by patch. Each patch costs only its own size here:
 * what a whole snapshot would have is known from the one before it and from what has changed, so that nothing is written
 * out only to be counted.
 */
export class WireSizes {
  /** The patches as they are, with `append`. */
  append = 0;
  /** By RFC 6902 alone. */
  replace = 0;
  /** The whole value after each patch. */
  snapshot = 0;

  private readonly document = new PatchedValue();
  /** The bytes of the value now. */
  private whole = 0;
  /** The string that grows, and the bytes between its quotes. */
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

  /** By how much an operation makes the value longer, before it is applied. */
  private growth(operation: JsonPatchOperation): number {
    const { op, path, value } = operation;
    if (op === "append") {
      const before = this.growing.path === path ? this.growing.bytes : -1;
      const bytes = (before < 0 ? insideOf(this.at(path)) : before) + insideOf(value);
      this.growing = { path, bytes };
      this.replace += bytes - insideOf(value) + 1; // "replace" is a letter longer than "append"
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

/** A string without its quotes. */
function insideOf(value: JsonValue | undefined): number {
  return bytesOf(value) - 2;
}

function isEmpty(container: JsonValue | undefined): boolean {
  for (const _ in container as object) return false;
  return true;
}

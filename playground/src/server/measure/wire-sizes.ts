import type { AnyPatchOperation, JsonObject, JsonValue } from "millrace/json";
import { isObject, parentPointer, parsePointer, valueAt } from "../../tree.js";

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

  /** The current value. No patch refers to its containers, so they are changed in place. */
  private document: JsonValue | undefined;
  /** The number of members of objects that have changed. */
  private readonly counts = new WeakMap<object, number>();
  /** Bytes of the current value. */
  private whole = 0;
  /** For the path of each string that has grown, the bytes between its quotes. */
  private readonly texts = new Map<string, number>();

  add(patch: readonly AnyPatchOperation[]): void {
    const bytes = bytesOf(patch);
    this.append += bytes;
    this.replace += bytes;
    for (const operation of patch) {
      if (operation.op === "move") {
        const { from, path } = operation;
        const value = this.at(from) as JsonValue;
        this.change({ op: "remove", path: from });
        this.change({ op: "add", path, value });
      } else if (operation.op === "append") this.grow(operation.path, operation.value);
      else if (operation.op !== "test") this.change(operation);
    }
    this.snapshot += this.whole;
  }

  private grow(path: string, suffix: string): void {
    const added = insideOf(suffix);
    const before = this.texts.get(path) ?? insideOf(this.at(path));
    this.texts.set(path, before + added);
    this.replace += before + 1; // "replace" is one letter longer than "append"
    this.whole += added;
    this.set(path, (this.at(path) as string) + suffix, "replace");
  }

  /** Applies an operation that adds, replaces or takes away one value. */
  private change(operation: ChangeOperation): void {
    const { op, path } = operation;
    const parent = path === "" ? undefined : this.at(parentPointer(path));
    const inserts = Array.isArray(parent) && op !== "replace" && op !== "remove";
    const before = inserts ? undefined : this.at(path);
    const after =
      op === "remove"
        ? undefined
        : structuredClone("from" in operation ? this.at(operation.from) : operation.value);
    const count = Array.isArray(parent) ? parent.length : this.countOf(parent);
    const key = parsePointer(path).at(-1) ?? "";
    const name = isObject(parent) ? bytesOf(key) + 1 : 0;
    this.set(path, after, op);
    this.whole += sizeOf(after) - sizeOf(before);
    // Paths may have other values now.
    if (before !== undefined || (inserts && key !== "-" && Number(key) < count)) this.texts.clear();
    if (path === "") return;
    const more = Number(after !== undefined) - Number(before !== undefined);
    const commas = Math.max(0, count + more - 1) - Math.max(0, count - 1);
    this.whole += more * name + commas;
    if (isObject(parent)) this.counts.set(this.at(parentPointer(path)) as object, count + more);
  }

  /** @param value `undefined` takes the value away */
  private set(path: string, value: JsonValue | undefined, op: ChangeOperation["op"]): void {
    if (path === "") {
      this.document = value;
      return;
    }
    const parent = this.at(parentPointer(path));
    const key = parsePointer(path).at(-1) ?? "";
    if (Array.isArray(parent)) {
      const index = key === "-" ? parent.length : Number(key);
      if (value === undefined) parent.splice(index, 1);
      else parent.splice(index, op === "replace" ? 1 : 0, value);
    } else if (value === undefined) Reflect.deleteProperty(parent as JsonObject, key);
    else {
      // The key may be `__proto__`.
      const member = { value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(parent, key, member);
    }
  }

  private countOf(object: JsonValue | undefined): number {
    if (!isObject(object)) return 0;
    return this.counts.get(object) ?? Object.keys(object).length;
  }

  private at(path: string): JsonValue | undefined {
    return valueAt(this.document, parsePointer(path));
  }
}

type ChangeOperation = Exclude<AnyPatchOperation, { readonly op: "append" | "test" }>;

function sizeOf(value: JsonValue | undefined): number {
  return value === undefined ? 0 : bytesOf(value);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes of a string's JSON without the quotes. */
function insideOf(value: JsonValue | undefined): number {
  return bytesOf(value) - 2;
}

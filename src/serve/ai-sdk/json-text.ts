import { patched } from "../../json/patch/apply-patch.js";
import { JsonPatchError } from "../../json/patch/patch-error.js";
import type { JsonPatch, JsonPatchOperation } from "../../json/patch/patch.js";
import { parsePointer } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../../json/value.js";

/**
 * Patches as the text of a JSON document that only grows: each piece is written once, and what is written is the beginning of
 * a document whose value, when all that is open is closed, is that of the patches. With `append` operations that costs what
 * they cost.
 *
 * A value elsewhere than at the end of the text that changes (a key that the model gave twice, or one that objects put in
 * another place because it is a number) is written once more, under the same key: of those, the last one counts.
 */
export class JsonText {
  private value: JsonValue | undefined;
  /** All of the value is our own to change: nothing of it is handed out. */
  private readonly own = new WeakSet();
  private started = false;
  /** The containers that are open in the text, the outermost first. */
  private readonly open: Container[] = [];
  /** The string that is open in the innermost of them; `undefined` if there is none. */
  private leaf: { readonly key: string | undefined } | undefined;

  /**
   * What a patch adds to the text.
   *
   * @throws {JsonPatchError} `misfit` where no text can be added for it: the root is replaced, or an element of an array
   */
  write(patch: JsonPatch): string {
    return patch.map((operation, index) => this.apply(operation, index)).join("");
  }

  /** What closes all that is open. */
  end(): string {
    return this.started || this.value === undefined ? this.closeTo(0) : "null";
  }

  private apply(operation: JsonPatchOperation, index: number): string {
    const path = parsePointer(operation.path);
    const before = this.value;
    const written = operation.op === "replace" ? valueAt(before, path) : undefined;
    this.value = patched(before, [operation], this.own);
    if (!this.started) {
      if (this.value === null) return ""; // taken back before anything was shown
      this.started = true;
      return this.opened(this.value as JsonValue, undefined, path);
    }
    return this.grown(operation, path, written) ?? this.added(operation, path) ?? this.rewritten(path, index);
  }

  /** The open string has grown. */
  private grown(
    { op, value }: JsonPatchOperation,
    path: readonly string[],
    written: JsonValue | undefined,
  ): string | undefined {
    if (op === "add" || typeof value !== "string" || this.leaf === undefined) return undefined;
    const isLeaf =
      path.length === this.depth && this.isOpen(path, path.length - 1) && path.at(-1) === this.leaf.key;
    if (!isLeaf) return undefined;
    if (op === "append") return inString(value);
    return typeof written === "string" && value.startsWith(written)
      ? inString(value.slice(written.length))
      : undefined;
  }

  /** Something is new at the end of an open container. */
  private added({ op, value }: JsonPatchOperation, path: readonly string[]): string | undefined {
    const parent = this.open[path.length - 1];
    if (op !== "add" || parent === undefined || !this.isOpen(path, path.length - 1)) return undefined;
    const key = path.at(-1) as string;
    if (parent.isArray && Number(key) !== parent.length) return undefined;
    return this.closeTo(path.length) + this.member(parent, key, value, []);
  }

  /** Something else has changed: the nearest member around it, of an object that is open, is written once more. */
  private rewritten(path: readonly string[], index: number): string {
    let depth = path.length;
    while (depth > 0 && !(this.open[depth - 1]?.isArray === false && this.isOpen(path, depth - 1))) depth--;
    const parent = this.open[depth - 1];
    if (parent === undefined) {
      throw new JsonPatchError("misfit", "text that only grows cannot take back what it has said.", index);
    }
    const value = valueAt(this.value, path.slice(0, depth)) as JsonValue;
    return this.closeTo(depth) + this.member(parent, path[depth - 1] as string, value, path.slice(depth));
  }

  private member(parent: Container, key: string, value: JsonValue, towards: readonly string[]): string {
    const separator = parent.length++ === 0 ? "" : ",";
    const name = parent.isArray ? "" : `${JSON.stringify(key)}:`;
    return separator + name + this.opened(value, key, towards);
  }

  /**
   * A value without the ends of what may grow: of its last member, and the last in that, to the innermost.
   *
   * @param towards the keys to the place where it has grown, where that is known
   */
  private opened(value: JsonValue, key: string | undefined, towards: readonly string[]): string {
    if (typeof value === "string") {
      this.leaf = { key };
      return JSON.stringify(value).slice(0, -1);
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const isArray = Array.isArray(value);
    const container: Container = { key, isArray, length: 0 };
    this.open.push(container);
    const entries = Object.entries(value);
    const [next, ...further] = towards;
    // In an array the last one is the open one; of an object it may be another.
    const last = isArray ? -1 : entries.findIndex(([name]) => name === next);
    if (last >= 0) entries.push(...entries.splice(last, 1));
    let text = isArray ? "[" : "{";
    entries.forEach(([name, item], at) => {
      if (at === entries.length - 1) text += this.member(container, name, item, further);
      else {
        text += `${container.length++ === 0 ? "" : ","}${isArray ? "" : `${JSON.stringify(name)}:`}${JSON.stringify(item)}`;
      }
    });
    return text;
  }

  private get depth(): number {
    return this.open.length;
  }

  /** Whether the containers on the way along the first keys are those that are open. */
  private isOpen(path: readonly string[], count: number): boolean {
    if (count >= this.depth) return false;
    for (let i = 0; i < count; i++) if (this.open[i + 1]?.key !== path[i]) return false;
    return true;
  }

  private closeTo(depth: number): string {
    let text = this.leaf === undefined ? "" : '"';
    this.leaf = undefined;
    while (this.depth > depth) text += this.open.pop()?.isArray === true ? "]" : "}";
    return text;
  }
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface Container {
  /** In the container around it. */
  readonly key: string | undefined;
  readonly isArray: boolean;
  length: number;
}

import { GrowingValue } from "./growing-value.js";
import { generous, measurePatch } from "./measure-value.js";
import { JsonPatchError } from "./patch-error.js";
import type { JsonPatch, JsonPatchOperation } from "./patch.js";
import { jsonText } from "../../text/json-text.js";
import { parsePointer } from "../../tree/pointer.js";
import { WorkBudget } from "../../tree/work-budget.js";
import { isContainer, type JsonValue, valueAt } from "../value.js";

/**
 * Converts patches to the text of a JSON document that only grows. The text so far, with all open containers closed,
 * has the value of the patches. With `append` operations each piece is written once.
 *
 * A changed value that is not at the end of the text (a duplicate key, or an integer-like key that objects reorder) is
 * written again under the same key. The last duplicate wins.
 */
export class GrowingJsonText {
  private readonly current = new GrowingValue();
  private readonly budget = new WorkBudget(generous);
  private started = false;
  /** The open containers, outermost first. */
  private readonly open: WrittenContainer[] = [];
  /** The number of characters that were written again. */
  rewrittenLength = 0;
  /** The open string in the innermost container, if any. */
  private leaf: { readonly key: string | undefined } | undefined;

  /**
   * Returns the text that a patch adds.
   *
   * @throws {JsonPatchError} `misfit` if no added text can express it: it replaces the root or an element of an array;
   *   `max_work` if too much is written again
   */
  write(patch: JsonPatch): string {
    this.budget.receive(measurePatch(patch));
    return patch.map((operation, index) => this.apply(operation, index)).join("");
  }

  /** The value so far. It changes with each patch. */
  get value(): JsonValue | undefined {
    return this.current.value;
  }

  /** Returns the text that closes the open string, which will not grow. */
  endString(): string {
    const text = this.leaf === undefined ? "" : '"';
    this.leaf = undefined;
    return text;
  }

  /** Returns the text that closes everything open. */
  end(): string {
    return this.started || this.value === undefined ? this.closeTo(0) : "null";
  }

  private apply(operation: JsonPatchOperation, index: number): string {
    const path = parsePointer(operation.path);
    const written = operation.op === "replace" ? valueAt(this.value, path) : undefined;
    this.current.apply([operation]);
    if (!this.started) {
      if (this.value === null) return ""; // retracted before anything was written
      this.started = true;
      return this.opened(this.value as JsonValue, undefined, path);
    }
    return (
      this.extended(operation, path, written) ?? this.added(operation, path) ?? this.rewritten(path, index)
    );
  }

  /** Extends the open string. */
  private extended(
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

  /** Adds a member at the end of an open container. */
  private added({ op, value }: JsonPatchOperation, path: readonly string[]): string | undefined {
    const parent = this.open[path.length - 1];
    if (op !== "add" || parent === undefined || !this.isOpen(path, path.length - 1)) return undefined;
    const key = path.at(-1) as string;
    if (parent.isArray && Number(key) !== parent.length) return undefined;
    return this.closeTo(path.length) + this.member(parent, key, value, []);
  }

  /** Any other change: writes the nearest enclosing member of an open object again. */
  private rewritten(path: readonly string[], index: number): string {
    let depth = path.length;
    while (depth > 0 && !(this.open[depth - 1]?.isArray === false && this.isOpen(path, depth - 1))) depth--;
    const parent = this.open[depth - 1];
    if (parent === undefined) {
      throw new JsonPatchError("misfit", "text that only grows cannot retract what was written.", index);
    }
    const value = valueAt(this.value, path.slice(0, depth)) as JsonValue;
    const text =
      this.closeTo(depth) + this.member(parent, path[depth - 1] as string, value, path.slice(depth));
    this.rewrittenLength += text.length;
    if (!this.budget.pays(text.length)) throw new JsonPatchError("max_work", this.budget.problem, index);
    return text;
  }

  private member(
    parent: WrittenContainer,
    key: string,
    value: JsonValue,
    towards: readonly string[],
  ): string {
    const separator = parent.length++ === 0 ? "" : ",";
    const name = parent.isArray ? "" : `${JSON.stringify(key)}:`;
    return separator + name + this.opened(value, key, towards);
  }

  /**
   * Writes a value and leaves its last member open, and the last member of that, down to the innermost one. A value of
   * any depth can be written.
   *
   * @param towards the keys to the place that grows, if known
   */
  private opened(value: JsonValue, key: string | undefined, towards: readonly string[]): string {
    let text = "";
    let level = 0;
    while (isContainer(value)) {
      const isArray = Array.isArray(value);
      const entries = Object.entries(value);
      // The last element of an array is open. In an object it may be another member.
      const next = towards[level++];
      const growing = isArray ? -1 : entries.findIndex(([name]) => name === next);
      if (growing >= 0) entries.push(...entries.splice(growing, 1));
      this.open.push({ key, isArray, length: entries.length });
      text += isArray ? "[" : "{";
      const last = entries.pop();
      if (last === undefined) return text;
      const label = (name: string): string => (isArray ? "" : `${JSON.stringify(name)}:`);
      for (const [name, item] of entries) text += `${label(name)}${jsonText(item).text},`;
      [key, value] = last;
      text += label(key);
    }
    if (typeof value !== "string") return text + JSON.stringify(value);
    this.leaf = { key };
    return text + JSON.stringify(value).slice(0, -1);
  }

  private get depth(): number {
    return this.open.length;
  }

  /** Whether the first `count` keys of the path lead through the open containers. */
  private isOpen(path: readonly string[], count: number): boolean {
    if (count >= this.depth) return false;
    for (let i = 0; i < count; i++) if (this.open[i + 1]?.key !== path[i]) return false;
    return true;
  }

  private closeTo(depth: number): string {
    let text = this.endString();
    while (this.depth > depth) text += this.open.pop()?.isArray === true ? "]" : "}";
    return text;
  }
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface WrittenContainer {
  /** The key in the parent container. */
  readonly key: string | undefined;
  readonly isArray: boolean;
  length: number;
}

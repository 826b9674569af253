import { patched } from "./apply-patch.js";
import { generous, measurePatch } from "./measure-value.js";
import { JsonPatchError } from "./patch-error.js";
import type { JsonPatch, JsonPatchOperation } from "./patch.js";
import { inJsonString, jsonText } from "../../text/json-text.js";
import { childPointer, isInside, parsePointer } from "../../tree/pointer.js";
import { WorkBudget } from "../../tree/work-budget.js";
import {
  isContainer,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setMember,
  valueAt,
} from "../value.js";

/**
 * Converts patches to the text of a JSON document that only grows. The text so far, with all open containers closed,
 * has the value of the patches. With `append` operations each piece is written once.
 *
 * A changed value that is not at the end of the text (a duplicate key, or an integer-like key that objects reorder) is
 * written again under the same key. The last duplicate wins.
 *
 * A path is followed from the innermost open container around it, and the containers inside that one are closed. So an
 * operation costs what it adds, at any depth.
 */
export class GrowingJsonText {
  private root: JsonValue | undefined;
  /** The containers that nobody else has, so they may be mutated. The open ones are among them. */
  private readonly own = new WeakSet();
  private readonly budget = new WorkBudget(generous);
  private started = false;
  /** The open containers, outermost first. */
  private readonly open: WrittenContainer[] = [];
  /** The JSON Pointer of the innermost. */
  private pointer = "";
  /** The number of characters that were written again. */
  rewrittenLength = 0;
  /** The open string in the innermost container, if any. */
  private leaf: WrittenString | undefined;

  /**
   * Returns the text that a patch adds.
   *
   * @throws {JsonPatchError} `misfit` if no added text can express it: it replaces the root or an element of an array;
   *   `max_work` if too much is written again
   */
  write(patch: JsonPatch): string {
    this.budget.receive(measurePatch(patch));
    return patch
      .map((operation, index) => this.extended(operation) ?? this.changed(operation, index))
      .join("");
  }

  /** The value so far. It changes with each patch. */
  get value(): JsonValue | undefined {
    return this.root;
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

  /** Extends the open string. */
  private extended({ op, path, value }: JsonPatchOperation): string | undefined {
    const { leaf } = this;
    if (op === "add" || leaf?.path !== path || typeof value !== "string") return undefined;
    const { key, text } = leaf;
    if (op === "replace" && !value.startsWith(text)) return undefined;
    leaf.text = op === "append" ? text + value : value;
    this.put(key, leaf.text);
    return inJsonString(op === "append" ? value : value.slice(text.length));
  }

  private changed(operation: JsonPatchOperation, index: number): string {
    const { path } = operation;
    const depth = this.depthOf(path);
    const around = this.open[depth - 1];
    const inside = path.slice(around?.length ?? 0);
    const value = patched(around?.node ?? this.root, [{ ...operation, path: inside }], this.own);
    if (around === undefined) this.root = value;
    if (this.started) return this.added(operation, depth, inside) ?? this.rewritten(path, depth, index);
    if (value === null) return ""; // retracted before anything was written
    this.started = true;
    return this.opened(value as JsonValue, "", parsePointer(path));
  }

  /** The number of open containers around a place. */
  private depthOf(path: string): number {
    let depth = this.depth;
    while (depth > 0 && !isInside(path, this.pointer.slice(0, this.open[depth - 1]?.length))) depth--;
    return depth;
  }

  /** Adds a member at the end of an open container. */
  private added({ op, value }: JsonPatchOperation, depth: number, inside: string): string | undefined {
    const parent = this.open[depth - 1];
    const [key, ...inner] = parsePointer(inside);
    if (op !== "add" || parent === undefined || key === undefined || inner.length > 0) return undefined;
    if (Array.isArray(parent.node) && Number(key) !== parent.members) return undefined;
    return this.closeTo(depth) + this.member(parent, key, value, []);
  }

  /** Any other change: writes the nearest enclosing member of an open object again. */
  private rewritten(path: string, depth: number, index: number): string {
    while (Array.isArray(this.open[depth - 1]?.node)) depth--;
    const parent = this.open[depth - 1];
    if (parent === undefined) {
      throw new JsonPatchError("misfit", "text that only grows cannot retract what was written.", index);
    }
    const [key, ...towards] = parsePointer(path.slice(parent.length)) as [string, ...string[]];
    const value = valueAt(parent.node, [key]) as JsonValue;
    const text = this.closeTo(depth) + this.member(parent, key, value, towards);
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
    const separator = parent.members++ === 0 ? "" : ",";
    const name = Array.isArray(parent.node) ? "" : `${JSON.stringify(key)}:`;
    return separator + name + this.opened(value, key, towards);
  }

  /**
   * Writes a value and leaves its last member open, and the last member of that, down to the innermost one. A value of
   * any depth can be written.
   *
   * @param towards the keys to the place that grows, if known
   */
  private opened(value: JsonValue, key: string, towards: readonly string[]): string {
    let text = "";
    let level = 0;
    while (isContainer(value)) {
      const isArray = Array.isArray(value);
      const entries = Object.entries(value);
      // The last element of an array is open. In an object it may be another member.
      const next = towards[level++];
      const growing = isArray ? -1 : entries.findIndex(([name]) => name === next);
      if (growing >= 0) entries.push(...entries.splice(growing, 1));
      this.push(value, key, entries.length);
      text += isArray ? "[" : "{";
      const last = entries.pop();
      if (last === undefined) return text;
      const label = (name: string): string => (isArray ? "" : `${JSON.stringify(name)}:`);
      for (const [name, item] of entries) text += `${label(name)}${jsonText(item).text},`;
      [key, value] = last;
      text += label(key);
    }
    if (typeof value !== "string") return text + JSON.stringify(value);
    this.leaf = { key, path: this.pathOf(key), text: value };
    return text + JSON.stringify(value).slice(0, -1);
  }

  private get depth(): number {
    return this.open.length;
  }

  private push(value: JsonArray | JsonObject, key: string, members: number): void {
    const node = this.own.has(value) ? value : Array.isArray(value) ? value.slice() : { ...value };
    this.own.add(node);
    this.put(key, node);
    this.pointer = this.pathOf(key);
    this.open.push({ node, length: this.pointer.length, members });
  }

  /** Sets a member of the innermost container, or the root. */
  private put(key: string, value: JsonValue): void {
    const parent = this.open.at(-1);
    if (parent === undefined) this.root = value;
    else setMember(parent.node as JsonObject, key, value);
  }

  private pathOf(key: string): string {
    return this.depth === 0 ? "" : childPointer(this.pointer, key);
  }

  private closeTo(depth: number): string {
    let text = this.endString();
    while (this.depth > depth) text += Array.isArray(this.open.pop()?.node) ? "]" : "}";
    this.pointer = this.pointer.slice(0, this.open.at(-1)?.length);
    return text;
  }
}

interface WrittenContainer {
  /** The value so far. Later patches mutate it. */
  readonly node: JsonArray | JsonObject;
  /** The length of its JSON Pointer. */
  readonly length: number;
  /** How many members were written. */
  members: number;
}

interface WrittenString {
  /** The key in the innermost container. */
  readonly key: string;
  readonly path: string;
  text: string;
}

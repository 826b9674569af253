import { GrowingValue } from "../../json/patch/growing-value.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { measureValue, type ValueSize } from "../../json/patch/measure-value.js";
import { JsonPatchError } from "../../json/patch/patch-error.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { isInstance } from "../../text/thrown.js";
import { isIndex, parsePointer } from "../../tree/pointer.js";
import { type Payer, WorkBudget } from "../../tree/work-budget.js";
import { OperationProblem } from "./line-error.js";

export interface DocumentBounds {
  readonly maxDepth: number;
  readonly maxLength: number;
  /** How much work each character of the text pays for. */
  readonly maxWork: number;
}

/** The document that the operations change, and the operations since it was last asked for them. */
export class PatchedDocument implements Payer {
  private readonly append: boolean;
  private readonly current: GrowingValue;
  private begun = false;
  /** Whether operations that may still be taken back have changed it. */
  private isChanged = false;
  /** Whether an operation that is kept has changed it. */
  private isKept = false;
  private operations: AnyPatchOperation[] = [];
  private readonly bounds: DocumentBounds;
  private readonly budget: WorkBudget;
  private isFree = false;
  private readonly onChange: (operation: AnyPatchOperation, value: JsonValue) => void;
  /** The length that copies and moves may still have in total. */
  private roomForCopies: number;

  /**
   * @param append whether a string grows by `append`, not by `replace`
   * @param onChange called after each operation that changes it
   */
  constructor(
    initial: JsonValue,
    append: boolean,
    bounds: DocumentBounds,
    onChange: (operation: AnyPatchOperation, value: JsonValue) => void = noop,
  ) {
    this.current = new GrowingValue(initial, this);
    this.budget = new WorkBudget({
      factor: bounds.maxWork,
      measure: (atMost) => measureValue(initial, atMost).length,
    });
    this.append = append;
    this.bounds = bounds;
    this.roomForCopies = bounds.maxLength;
    this.onChange = onChange;
  }

  /** The value so far. It may be mutated later, so it is read at once. */
  get value(): JsonValue {
    return this.current.value as JsonValue;
  }

  /** How many members were copied since the last snapshot, whose containers are not mutated. */
  get copiedMembers(): number {
    return this.current.copiedMembers;
  }

  /** Whether no operation has changed it, apart from those that were taken back. */
  get isUnchanged(): boolean {
    return !this.isChanged && !this.isKept;
  }

  /** An immutable value; `undefined` before the first operation. */
  snapshot(): JsonValue | undefined {
    return this.begun ? this.current.snapshot() : undefined;
  }

  /**
   * @param operation one that fits: a move that fails halfway would lose its value
   * @throws {OperationProblem}
   */
  apply(operation: AnyPatchOperation): void {
    const before = this.value;
    if (operation.op === "copy" || operation.op === "move") this.checkSize(operation);
    const copied = operation.op === "copy" ? valueAt(before, parsePointer(operation.from)) : undefined;
    try {
      this.current.apply([operation]);
    } catch (error) {
      if (!isInstance(error, JsonPatchError)) throw error;
      const code = error.code === "test_failed" || error.code === "max_work" ? error.code : "misfit";
      throw new OperationProblem(code, error.message.replace(/^Operation 0 of a patch: /, ""), error);
    }
    if (operation.op === "test") return;
    this.isChanged = true;
    const isWhole = operation.path === "" && (operation.op === "add" || operation.op === "replace");
    // The first patch contains the whole value, so that the patches alone give the document.
    if (!this.begun && !isWhole) this.operations.push({ op: "replace", path: "", value: before });
    this.begun = true;
    this.operations.push(this.shown(operation, copied));
    this.onChange(operation, this.value);
  }

  /** @param length of a text that came in */
  receive(length: number): void {
    this.budget.receive(length);
  }

  pays(work: number): boolean {
    return this.isFree || this.budget.pays(work);
  }

  get room(): number {
    return this.budget.room;
  }

  get problem(): string {
    return this.budget.problem;
  }

  /** @throws {OperationProblem} `max_work` */
  private pay(work: number): void {
    if (!this.pays(work)) throw new OperationProblem("max_work", this.problem);
  }

  /** Pays for the check of a value that is already in the document. */
  payCheck(value: JsonValue): void {
    this.pay(workToCheck * this.measured(value).length);
  }

  /** Measures a value as far as the budget allows. */
  private measured(value: JsonValue, maxLength = Infinity): ValueSize {
    this.pay(1);
    return measureValue(value, Math.min(maxLength, this.room));
  }

  /**
   * A copy of a value into itself doubles it, so thirty short lines could make a document that fits in no memory. A
   * move into a deeper place makes the document deeper.
   */
  private checkSize({ op, from, path }: AnyPatchOperation & { readonly op: "copy" | "move" }): void {
    const [source, target] = [parsePointer(from), parsePointer(path)];
    if (op === "move" && target.length <= source.length) return;
    const value = valueAt(this.value, source);
    if (value === undefined) return; // it does not fit
    const { maxDepth, maxLength } = this.bounds;
    const { depth, length } = this.measured(value, this.roomForCopies);
    this.roomForCopies -= length;
    if (this.roomForCopies < 0) {
      this.roomForCopies = 0;
      throw new OperationProblem("max_length", `copies and moves are longer than maxLength (${maxLength}).`);
    }
    this.pay(length);
    if (target.length + depth > maxDepth) {
      throw new OperationProblem("max_depth", `its value would be deeper than maxDepth (${maxDepth}).`);
    }
  }

  /** Applies a change that its line has paid for: inside its value, or back. So the cuts of the text cost nothing. */
  grow(operation: AnyPatchOperation): void {
    this.isFree = true;
    try {
      this.apply(operation);
    } finally {
      this.isFree = false;
    }
  }

  /** Puts the document back to what it was before a line. */
  undo(operations: readonly AnyPatchOperation[]): void {
    for (const operation of operations) {
      // A value that is restored is part of a patch from now on.
      if ("value" in operation) this.current.share(operation.value);
      this.grow(operation);
    }
    this.isChanged = false;
  }

  /** The operations so far are not taken back. */
  keep(): void {
    this.isKept ||= this.isChanged;
    this.isChanged = false;
  }

  /** The operations since the last call. */
  take(): AnyPatchOperation[] {
    const { operations } = this;
    this.operations = [];
    return operations;
  }

  /** The value at a pointer that was applied before. */
  at(pointer: string): JsonValue {
    return valueAt(this.value, parsePointer(pointer)) as JsonValue;
  }

  /** The first place on the way to a value that does not exist. `undefined` if the value is there. */
  missing(keys: readonly string[]): readonly string[] | undefined {
    if (valueAt(this.value, keys) !== undefined) return undefined;
    let value: JsonValue | undefined = this.value;
    const index = keys.findIndex((key) => (value = valueAt(value, [key])) === undefined);
    return keys.slice(0, index + 1);
  }

  /** Like `missing()`, for a value that may be new: the container around it is needed, with the elements before it. */
  missingBefore(keys: readonly string[]): readonly string[] | undefined {
    const around = keys.slice(0, -1);
    const missing = this.missing(around);
    const key = keys.at(-1);
    if (missing !== undefined || key === undefined || !isIndex(key)) return missing;
    const list = valueAt(this.value, around);
    return Array.isArray(list) && Number(key) > list.length
      ? [...around, String(Number(key) - 1)]
      : undefined;
  }

  /** A copy is shown as its value, because the stores of pages read no `copy`: see docs/reference/client.md. */
  private shown(operation: AnyPatchOperation, copied: JsonValue | undefined): AnyPatchOperation {
    if (copied !== undefined) return { op: "add", path: operation.path, value: copied };
    if (operation.op !== "append" || this.append) return operation;
    return { op: "replace", path: operation.path, value: this.at(operation.path) };
  }
}

/** To write a character of a value and to read it under a guard takes as long as to read four. */
const workToCheck = 4;

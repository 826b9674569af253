import { GrowingValue } from "../../json/patch/growing-value.js";
import { generous, measurePatch, measureReceived } from "../../json/patch/measure-value.js";
import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { WorkBudget } from "../../tree/work-budget.js";

/**
 * One run in memory: its latest patches, and the value produced by earlier ones. The value is computed on demand, so a
 * run without late readers costs only its patches. Copies are paid by the length of all patches, so that the value of a
 * short run is short.
 */
export class LoggedRun {
  readonly id: string;
  /** Part of each event id. Tells event ids of this run from those of an earlier run with the same id. */
  readonly token: string;
  /** Aborts the current writer. */
  controller: AbortController = new AbortController();
  end: PatchEnd | undefined;
  /** When the run ended, by the log's clock. */
  endedAt: number = Infinity;

  private readonly readers = new Set<() => void>();
  private readonly window: number;
  private readonly budget = new WorkBudget(generous);
  private growing = new GrowingValue(undefined, this.budget);
  /** Number of patches that `growing` has. */
  private applied = 0;
  /** Number of patches that the budget has received. */
  private received = 0;
  /** The latest event with the whole value, as long as there are readers. */
  private wholeEvent: PatchEvent | undefined;
  private patches: (readonly AnyPatchOperation[])[] = [];
  private start: RunStart = { before: 0, at: 0, value: undefined };

  constructor(id: string, token: string, window: number) {
    this.id = id;
    this.token = token;
    this.window = window;
  }

  /** The id of the position before the first event. */
  get origin(): string {
    return this.idAt(0);
  }

  get length(): number {
    return this.start.before + this.patches.length;
  }

  /** The state that replaces patches no longer kept. */
  get base(): RunStart {
    return this.start;
  }

  get value(): JsonValue | undefined {
    return this.valueAt(this.length);
  }

  /** @throws {JsonPatchError} `max_work` if it copies more than all patches pay for */
  append(patch: readonly AnyPatchOperation[]): void {
    this.patches.push(patch);
    this.wholeEvent = undefined;
    if (patch.some(({ op }) => op === "copy")) {
      try {
        this.applyTo(this.length);
      } catch (error) {
        this.patches.pop();
        this.undo();
        throw error;
      }
    }
    if (this.patches.length >= 2 * this.window) {
      const before = this.start.before + this.window;
      this.valueAt(before);
      this.patches = this.patches.slice(this.window);
      this.start = { ...this.start, before };
    }
    this.wake();
  }

  /** Replaces the contents with what another log kept of this run. */
  restart(start: RunStart, patches: readonly (readonly AnyPatchOperation[])[]): void {
    this.start = start;
    this.patches = [...patches];
    this.wholeEvent = undefined;
    this.growing = new GrowingValue(start.value, this.budget);
    this.applied = start.at;
    if (start.value !== undefined) this.budget.receive(measureReceived(start.value));
    this.received = start.at;
    this.wake();
  }

  /** @param wake called when there is something new, until the reader leaves */
  join(wake: () => void): void {
    this.readers.add(wake);
  }

  leave(wake: () => void): void {
    this.readers.delete(wake);
    if (this.readers.size === 0) this.wholeEvent = undefined;
  }

  wake(): void {
    for (const wake of [...this.readers]) wake();
  }

  /** Returns the number of patches up to this event, or `undefined` for an event of another run. */
  positionOf(eventId: string | undefined): number | undefined {
    const [, digits, token] = /^(\d{1,15})-(.+)$/s.exec(eventId ?? "") ?? [];
    const position = Number(digits);
    return token === this.token && position <= this.length ? position : undefined;
  }

  /** Returns the patch at a position, or `undefined` if it is no longer kept. */
  eventAt(position: number): PatchEvent | undefined {
    const patch = this.patches[position - this.start.before];
    return patch === undefined ? undefined : this.event(position + 1, patch);
  }

  /** Returns one patch that replaces all patches so far: the same one for all readers of this moment. */
  whole(): PatchEvent {
    if (this.wholeEvent === undefined) {
      const { value } = this;
      const patch = value === undefined ? [] : [{ op: "replace" as const, path: "", value }];
      this.wholeEvent = this.event(this.length, patch);
    }
    return this.wholeEvent;
  }

  private event(position: number, patch: readonly AnyPatchOperation[]): PatchEvent {
    return { type: "patch", id: this.idAt(position), patch };
  }

  private idAt(position: number): string {
    return `${position}-${this.token}`;
  }

  /** The value of the first patches, at least as many as asked for. */
  private valueAt(position: number): JsonValue | undefined {
    const { before, at, value } = this.start;
    if (position <= at) return value;
    this.applyTo(position);
    // A snapshot makes the next patch copy what it changes, so it is taken for readers only.
    this.start = { before, at: this.applied, value: this.growing.snapshot() };
    return this.start.value;
  }

  private applyTo(position: number): void {
    if (position <= this.applied) return;
    const { before, at, value } = this.start;
    const patches = this.patches.slice(this.applied - before, position - before);
    for (const each of patches.slice(Math.max(this.received - this.applied, 0)))
      this.budget.receive(measurePatch(each));
    this.received = Math.max(this.received, position);
    try {
      this.growing.apply(patches.flat());
    } catch (error) {
      // Its containers may be half changed.
      this.growing = new GrowingValue(value, this.budget);
      this.applied = at;
      throw error;
    }
    this.applied = position;
  }

  /** Makes the value again, without paying for the copies of the patches before. */
  private undo(): void {
    const { before, at, value } = this.start;
    const again = new GrowingValue(value);
    again.apply(this.patches.slice(at - before).flat());
    this.start = { before, at: this.length, value: again.snapshot() };
    this.growing = new GrowingValue(this.start.value, this.budget);
    this.applied = this.length;
  }
}

/** The state before the kept patches. */
export interface RunStart {
  /** Number of patches before the kept ones. */
  readonly before: number;
  /** Number of patches that `value` contains: those before, and possibly some of the kept ones. */
  readonly at: number;
  /** `undefined` if those patches produced no value. */
  readonly value: JsonValue | undefined;
}

/** The default for `createToken`. */
export function randomToken(): string {
  return crypto.randomUUID().slice(0, 8);
}

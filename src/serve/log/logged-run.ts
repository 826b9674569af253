import { applyPatch } from "../../json/patch/apply-patch.js";
import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

/**
 * One run in memory: its latest patches, and the value produced by earlier ones. The value is computed on demand, so a
 * run without late readers costs only its patches.
 */
export class LoggedRun {
  readonly id: string;
  /** Part of each event id. Tells event ids of this run from those of an earlier run with the same id. */
  readonly token: string;
  /** Aborts the current writer. */
  controller: AbortController = new AbortController();
  readonly readers: Set<() => void> = new Set<() => void>();
  end: PatchEnd | undefined;
  /** When the run ended, by the log's clock. */
  endedAt: number = Infinity;

  private readonly window: number;
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
  get kept(): RunStart {
    return this.start;
  }

  /** The value so far. */
  get value(): JsonValue | undefined {
    return this.valueAt(this.length);
  }

  append(patch: readonly AnyPatchOperation[]): void {
    this.patches.push(patch);
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
    this.wake();
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

  /** Returns one patch that replaces all patches so far. */
  whole(): PatchEvent {
    const { value } = this;
    return this.event(this.length, value === undefined ? [] : [{ op: "replace", path: "", value }]);
  }

  private event(position: number, patch: readonly AnyPatchOperation[]): PatchEvent {
    return { type: "patch", id: this.idAt(position), patch };
  }

  private idAt(position: number): string {
    return `${position}-${this.token}`;
  }

  private valueAt(position: number): JsonValue | undefined {
    const { before, at, value } = this.start;
    if (position <= at) return value;
    const patch = this.patches.slice(at - before, position - before).flat();
    this.start = { before, at: position, value: applyPatch(value, patch) };
    return this.start.value;
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

import { applyPatch } from "../json/apply-patch.js";
import type { PatchEnd, PatchEvent } from "../json/patch-entry.js";
import type { JsonPatch } from "../json/patch.js";
import type { JsonValue } from "../json/value.js";

/**
 * One run in memory: its last patches, and the value that those before them have made. The whole value is only made when
 * somebody asks for it, so that a run that nobody joins late costs nothing but its patches.
 */
export class LoggedRun {
  readonly id: string;
  readonly controller: AbortController = new AbortController();
  readonly readers: Set<() => void> = new Set<() => void>();
  end: PatchEnd | undefined;
  /** When the run ended, on the log's clock. */
  endedAt: number = Infinity;

  /** What makes the ids of events this run's own, so that those of an earlier run of the same id are known for strangers. */
  private readonly token: string;
  private readonly window: number;
  private patches: JsonPatch[] = [];
  /** How many patches came before those that are kept. */
  private before = 0;
  private base: { readonly value: JsonValue | undefined; readonly at: number } = { value: undefined, at: 0 };

  constructor(id: string, token: string, window: number) {
    this.id = id;
    this.token = token;
    this.window = window;
  }

  get length(): number {
    return this.before + this.patches.length;
  }

  append(patch: JsonPatch): void {
    this.patches.push(patch);
    if (this.patches.length >= 2 * this.window) {
      this.valueAt(this.before + this.window);
      this.patches = this.patches.slice(this.window);
      this.before += this.window;
    }
    this.wake();
  }

  wake(): void {
    for (const wake of [...this.readers]) wake();
  }

  /** How many patches the reader has who names this event; `undefined` if it says nothing of this run. */
  positionOf(eventId: string | undefined): number | undefined {
    const [, digits, token] = /^(\d{1,15})-(.+)$/s.exec(eventId ?? "") ?? [];
    const position = Number(digits);
    return token === this.token && position <= this.length ? position : undefined;
  }

  /** The patch after so many; `undefined` where it is no longer kept. */
  eventAt(position: number): PatchEvent | undefined {
    const patch = this.patches[position - this.before];
    return patch === undefined ? undefined : this.event(position + 1, patch);
  }

  /** All patches until now in one. */
  whole(): PatchEvent {
    const value = this.valueAt(this.length);
    return this.event(this.length, value === undefined ? [] : [{ op: "replace", path: "", value }]);
  }

  private event(position: number, patch: JsonPatch): PatchEvent {
    return { type: "patch", id: `${position}-${this.token}`, patch };
  }

  private valueAt(position: number): JsonValue | undefined {
    const { value, at } = this.base;
    if (position <= at) return value;
    const patch = this.patches.slice(at - this.before, position - this.before).flat();
    this.base = { value: applyPatch(value, patch), at: position };
    return this.base.value;
  }
}

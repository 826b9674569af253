import { applyPatch } from "../../json/patch/apply-patch.js";
import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

/**
 * One run in memory: its last patches, and the value that those before them have made. The whole value is only made when
 * somebody asks for it, so that a run that nobody joins late costs nothing but its patches.
 */
export class LoggedRun {
  readonly id: string;
  /** What makes the ids of events this run's own, so that those of an earlier run of the same id are known for strangers. */
  readonly token: string;
  readonly controller: AbortController = new AbortController();
  readonly readers: Set<() => void> = new Set<() => void>();
  end: PatchEnd | undefined;
  /** When the run ended, on the log's clock. */
  endedAt: number = Infinity;

  private readonly window: number;
  private patches: JsonPatch[] = [];
  private start: RunStart = { before: 0, at: 0, value: undefined };

  constructor(id: string, token: string, window: number) {
    this.id = id;
    this.token = token;
    this.window = window;
  }

  /** The id of no event: the place before the first. */
  get origin(): string {
    return this.idAt(0);
  }

  get length(): number {
    return this.start.before + this.patches.length;
  }

  /** What stands for the patches that are no longer kept. */
  get kept(): RunStart {
    return this.start;
  }

  append(patch: JsonPatch): void {
    this.patches.push(patch);
    if (this.patches.length >= 2 * this.window) {
      const before = this.start.before + this.window;
      this.valueAt(before);
      this.patches = this.patches.slice(this.window);
      this.start = { ...this.start, before };
    }
    this.wake();
  }

  /** Puts all that another log has kept of this run in place of what is here. */
  restart(start: RunStart, patches: readonly JsonPatch[]): void {
    this.start = start;
    this.patches = [...patches];
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
    const patch = this.patches[position - this.start.before];
    return patch === undefined ? undefined : this.event(position + 1, patch);
  }

  /** All patches until now in one. */
  whole(): PatchEvent {
    const value = this.valueAt(this.length);
    return this.event(this.length, value === undefined ? [] : [{ op: "replace", path: "", value }]);
  }

  private event(position: number, patch: JsonPatch): PatchEvent {
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

/** Where what is kept of a run begins. */
export interface RunStart {
  /** How many patches came before those that are kept. */
  readonly before: number;
  /** How many patches the value is made of: those before, and maybe some of those that are kept. */
  readonly at: number;
  /** `undefined` if they made none. */
  readonly value: JsonValue | undefined;
}

/** A token of a run, by default. */
export function randomToken(): string {
  return crypto.randomUUID().slice(0, 8);
}

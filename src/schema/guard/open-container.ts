import type { Reading } from "../coerce/reading.js";
import type { KeysSoFar } from "./problems.js";
import type { Child, Shape } from "./shape.js";

/** A complete member or element, and how each alternative of its container reads it. */
export interface WithheldPart {
  readonly name: string | number;
  readonly readings: ReadonlyMap<number, Reading>;
}

/** The state of an open container. */
export class OpenContainer implements KeysSoFar {
  shape: Shape;
  /** The indices of the alternatives that are still possible. */
  live: readonly number[] = [];
  isArray = false;
  /** A list of one object that the text does not have. */
  isImplied = false;
  /** Several alternatives were possible when the container was opened. */
  isUnion = false;
  key = "";
  /** For each slot of the shape, the turn in which its member was last complete. Reuse needs no clearing. */
  private readonly seen: number[] = [];
  private turn = 0;
  /** The complete members, if the shape counts them. */
  readonly names = new Set<string>();
  /** The number of complete elements. */
  count = 0;
  /** The current member or element. */
  child: Child | undefined;
  /** Not shown until its alternatives allow it. */
  withheld = false;
  /** The complete members or elements that are withheld, because the alternatives read them differently. */
  withheldParts: WithheldPart[] | undefined;
  /** Their keys or indices. */
  readonly withheldNames = new Set<string | number>();
  /** The members whose keys were written differently, with those keys. */
  renamed: Map<string, string> | undefined;

  constructor(shape: Shape) {
    this.shape = shape;
  }

  open(shape: Shape, live: readonly number[], isArray: boolean): void {
    this.shape = shape;
    this.live = live;
    this.isArray = isArray;
    this.isImplied = false;
    this.isUnion = live.length > 1;
    this.turn++;
    this.count = 0;
    this.withheldParts = this.renamed = undefined;
    if (this.withheldNames.size > 0) this.withheldNames.clear();
    if (this.names.size > 0) this.names.clear();
  }

  /** Records that the current member is complete. */
  completeMember(): void {
    const { slot } = this.child as Child;
    if (slot >= 0) this.seen[slot] = this.turn;
    if (this.shape.countsKeys) this.names.add(this.key);
  }

  has(key: string): boolean {
    const slot = this.shape.slots.get(key);
    return slot !== undefined && this.seen[slot] === this.turn;
  }

  get size(): number {
    return this.names.size;
  }
}

/** Whether to withhold the container. Once false, it stays false, because alternatives only get fewer. */
export function mustWait(frame: OpenContainer): boolean {
  const { shape, live } = frame;
  if (!shape.withholds) return false;
  if (live.some((index) => shape.at(index).whole)) return true;
  if (frame.isArray) return false;
  // Also when other members have decided already: the types of partial values promise the discriminators.
  if (frame.isUnion && shape.discriminators.some((key) => !frame.has(key))) return true;
  return live.some((index) => shape.awaitedBy(index).some((key) => !frame.has(key)));
}

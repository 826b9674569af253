import { childPointer } from "../../tree/pointer.js";
import type { Keys } from "../keywords/keywords.js";
import type { Child, Shape } from "./shape.js";

/** An open object or array: its shape, and which of its alternatives and keys the value still allows. */
export class OpenContainer implements Keys {
  shape: Shape;
  /** The indices of the alternatives that are still possible. */
  live: readonly number[] = [];
  isArray = false;
  /** Several alternatives were possible when the container was opened. */
  isUnion = false;
  key = "";
  /** The number of complete elements. */
  count = 0;
  /** Its JSON Pointer, once it was requested. */
  pointer: string | undefined;
  /** The complete members: those that the schema names, and if the shape counts them, all. */
  readonly names = new Set<string>();
  /** The current member or element. */
  child: Child | undefined;
  waits = false;
  /** Does the handler in front of this one hide it? */
  isHidden = false;

  constructor(shape: Shape) {
    this.shape = shape;
  }

  open(shape: Shape, live: readonly number[], isArray: boolean): void {
    this.shape = shape;
    this.live = live;
    this.isArray = isArray;
    this.isUnion = live.length > 1;
    this.count = 0;
    this.pointer = undefined;
    if (this.names.size > 0) this.names.clear();
  }

  completePart(): void {
    const { shape, key } = this;
    if (this.isArray) this.count++;
    else if (shape.countsKeys || shape.named.has(key)) this.names.add(key);
  }

  /** Is there a complete member with this key? Known only for keys that the schema names. */
  has(key: string): boolean {
    return this.names.has(key);
  }

  get size(): number {
    return this.names.size;
  }

  /** The pointer of the one at the root is set. */
  makePointer(around: OpenContainer | undefined): string {
    return childPointer(around?.pointer as string, around?.name as string);
  }

  /** The key or index of the current part. */
  get name(): string | number {
    return this.isArray ? this.count : this.key;
  }
}

/** Whether the container has to wait before it is shown. Once false, it stays false, because alternatives only get fewer. */
export function mustWait(frame: OpenContainer): boolean {
  const { shape, live } = frame;
  if (live.some((index) => shape.at(index).whole)) return true;
  if (frame.isArray) return false;
  // Also when other members have decided already: the types of partial values promise the discriminators.
  if (frame.isUnion && shape.discriminators.some((key) => !frame.has(key))) return true;
  return live.some((index) => shape.awaitedBy(index).some((key) => !frame.has(key)));
}

import type { Nesting } from "../json/scan/nesting.js";

/**
 * Finds the innermost open array or object in one step, at any depth. In `[{"a": {` the innermost array is at depth 1,
 * the innermost object at depth 3, and around depth 2 it is at depth 2.
 */
export class Levels {
  private readonly nesting: Nesting;
  /** For each depth, that of the innermost container of the other kind around it. */
  private readonly others: number[] = [0, 0, 0, 0];

  constructor(nesting: Nesting) {
    this.nesting = nesting;
  }

  isArray(depth: number): boolean {
    return this.nesting.isArray(depth);
  }

  /** The innermost container was opened. */
  open(): void {
    const { nesting, others } = this;
    const { depth } = nesting;
    const around = depth - 1;
    const differs = nesting.isArray(around) !== nesting.inArray;
    others[depth] = differs ? around : (others[around] as number);
  }

  /** Returns the depth of the innermost open array or object, from `depth` on outwards; 0 without one. */
  innermost(isArray: boolean, depth: number): number {
    return this.nesting.isArray(depth) === isArray ? depth : (this.others[depth] as number);
  }
}

import type { JsonListener } from "../handler.js";
import type { JsonScanner } from "./json-scanner.js";
import type { Mistake } from "./rejection.js";

export const defaultMaxDepth: number = 1_000;
const defaultMaxKeys = 100_000;

/**
 * The open containers of a document: whether each is an array, and how many children have begun in it. In `[1, {"a":`
 * the depth is 2, the innermost container is an object with one child, and the array around it has two.
 */
export class Nesting {
  depth = 0;
  /** Is the innermost container an array? */
  inArray = false;
  /** The number of children that have begun in the innermost container. Each repeated key counts. */
  children = 0;
  /**
   * For each depth, the number of children of the container around it; of an array, its complement (`~`).
   * Four to begin with, as the first element of an empty array reserves 17.
   */
  private readonly outer: number[] = [0, 0, 0, 0];
  readonly maxDepth: number;
  readonly maxKeys: number;

  constructor({ maxDepth = defaultMaxDepth, maxKeys = defaultMaxKeys }: NestingBounds = {}) {
    this.maxDepth = maxDepth;
    this.maxKeys = maxKeys;
  }

  open(isArray: boolean): void {
    const { depth } = this;
    this.outer[depth] = this.inArray ? ~(this.children + 1) : this.children;
    this.depth = depth + 1;
    this.inArray = isArray;
    this.children = 0;
  }

  close(): void {
    const depth = --this.depth;
    const children = this.outer[depth] as number;
    this.inArray = children < 0;
    this.children = this.inArray ? ~children : children;
  }

  /** Has the innermost object as many keys as it may have? Repeated ones count once. */
  hasAllKeys(handler: JsonListener): boolean {
    return this.children >= this.maxKeys && handler.hasKeys(this.maxKeys);
  }

  /** Is the open container at this depth, counted from 1, an array? */
  isArray(depth: number): boolean {
    return depth === this.depth ? this.inArray : (this.outer[depth] as number) < 0;
  }
}

interface NestingBounds {
  readonly maxDepth?: number;
  readonly maxKeys?: number;
}

/** What keeps the bounds. */
interface Bounded extends Pick<JsonScanner, "fail"> {
  readonly nesting: Nesting;
}

export function tooDeep(document: Bounded, i: number): Mistake {
  const problem = `The value is nested deeper than maxDepth (${document.nesting.maxDepth})`;
  return document.fail("max_depth", problem, i, "a scalar or the end");
}

export function tooManyKeys(document: Bounded, i: number): Mistake {
  const problem = `An object has more keys than maxKeys (${document.nesting.maxKeys})`;
  return document.fail("max_keys", problem, i, "the end of the object");
}

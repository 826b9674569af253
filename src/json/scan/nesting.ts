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

  /** Is the open container at this depth, counted from 1, an array? */
  isArray(depth: number): boolean {
    return depth === this.depth ? this.inArray : (this.outer[depth] as number) < 0;
  }
}

interface NestingBounds {
  readonly maxDepth?: number;
  readonly maxKeys?: number;
}

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
  /** For each depth, the number of children of the container around it, and whether that is an array. */
  private readonly outer: number[] = [];
  private readonly outerIsArray: boolean[] = [];
  readonly maxDepth: number;
  readonly maxKeys: number;

  constructor({ maxDepth = defaultMaxDepth, maxKeys = defaultMaxKeys }: NestingBounds = {}) {
    this.maxDepth = maxDepth;
    this.maxKeys = maxKeys;
  }

  open(isArray: boolean): void {
    const { depth } = this;
    this.outer[depth] = this.inArray ? this.children + 1 : this.children;
    this.outerIsArray[depth] = this.inArray;
    this.depth = depth + 1;
    this.inArray = isArray;
    this.children = 0;
  }

  close(): void {
    const depth = --this.depth;
    this.inArray = this.outerIsArray[depth] as boolean;
    this.children = this.outer[depth] as number;
  }

  /** Is the open container at this depth, counted from 1, an array? */
  isArray(depth: number): boolean {
    return depth === this.depth ? this.inArray : (this.outerIsArray[depth] as boolean);
  }
}

interface NestingBounds {
  readonly maxDepth?: number;
  readonly maxKeys?: number;
}

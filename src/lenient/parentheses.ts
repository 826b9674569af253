/** The open parentheses, each by the depth at which it was opened. */
export class Parentheses {
  /** Around one value: `{"a": (1)}`. */
  private readonly groups: number[] = [];
  /** Those that are arrays: `(1, 2)`. */
  private readonly tuples: number[] = [];

  get areOpen(): boolean {
    return this.groups.length > 0 || this.tuples.length > 0;
  }

  openGroup(depth: number): void {
    this.groups.push(depth);
  }

  openTuple(depth: number): void {
    this.tuples.push(depth);
  }

  isTuple(depth: number): boolean {
    return this.tuples.at(-1) === depth;
  }

  isGroup(depth: number): boolean {
    return this.groups.at(-1) === depth;
  }

  closeGroup(): void {
    this.groups.pop();
  }

  /** The containers deeper than this have closed. */
  closeTo(depth: number): void {
    while ((this.groups.at(-1) ?? 0) > depth) this.groups.pop();
    while ((this.tuples.at(-1) ?? 0) > depth) this.tuples.pop();
  }
}

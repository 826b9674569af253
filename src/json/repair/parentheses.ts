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

  /** Closes the group at this depth. Returns whether there was one. */
  closeGroup(depth: number): boolean {
    const isGroup = this.groups.at(-1) === depth;
    if (isGroup) this.groups.pop();
    return isGroup;
  }

  /** The containers deeper than this have closed. */
  closeTo(depth: number): void {
    while ((this.groups.at(-1) ?? 0) > depth) this.groups.pop();
    while ((this.tuples.at(-1) ?? 0) > depth) this.tuples.pop();
  }
}

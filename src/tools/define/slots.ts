/** So many may be in at once; who comes then stands in line. */
export class Slots {
  private free: number;
  private readonly line = new Set<() => void>();

  constructor(count: number) {
    this.free = count;
  }

  /**
   * Calls `onTurn` when there is a slot: at once if one is free.
   *
   * @returns gives the slot back, or the place in the line; any call but the first does nothing
   */
  enter(onTurn: () => void): () => void {
    let inside = false;
    let left = false;
    const start = (): void => {
      inside = true;
      onTurn();
    };
    if (this.free > 0) {
      this.free--;
      start();
    } else this.line.add(start);
    return () => {
      if (left) return;
      left = true;
      if (inside) this.next();
      else this.line.delete(start);
    };
  }

  private next(): void {
    const [first] = this.line;
    if (first === undefined) {
      this.free++;
      return;
    }
    this.line.delete(first);
    first();
  }
}

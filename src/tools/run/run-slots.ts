/** Limits simultaneous runs: when no slot is free, later ones wait in line. */
export class RunSlots {
  private free: number;
  private readonly line = new Set<() => void>();

  constructor(count: number) {
    this.free = count;
  }

  /**
   * Calls `onTurn` when a slot is free: at once, or later.
   *
   * @returns a function that frees the slot or leaves the line. Only its first call has an effect
   */
  enter(onTurn: () => void): () => void {
    let inside = false;
    let released = false;
    const start = (): void => {
      inside = true;
      onTurn();
    };
    if (this.free > 0) {
      this.free--;
      start();
    } else this.line.add(start);
    return () => {
      if (released) return;
      released = true;
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

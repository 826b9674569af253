/**
 * Folds items with an associative merge. Like a binary counter, it merges parts of equal size. A merge copies lists,
 * such as log probabilities; with this order each item is copied log n times instead of n times. The number of merges
 * stays the same.
 */
export class BalancedFold<T> {
  private readonly merge: (a: T, b: T) => T;
  /** In order. Each part has at least twice as many items as the next. */
  private readonly parts: FoldedPart<T>[] = [];

  constructor(merge: (a: T, b: T) => T) {
    this.merge = merge;
  }

  add(item: T): void {
    let part: FoldedPart<T> = { item, count: 1 };
    for (let last = this.parts.at(-1); last?.count === part.count; last = this.parts.at(-1)) {
      part = { item: this.merge(last.item, part.item), count: last.count * 2 };
      this.parts.pop();
    }
    this.parts.push(part);
  }

  /** All items merged, or `undefined` without items. */
  get value(): T | undefined {
    return this.parts
      .map(({ item }) => item)
      .reduceRight<T | undefined>(
        (later, item) => (later === undefined ? item : this.merge(item, later)),
        undefined,
      );
  }
}

interface FoldedPart<T> {
  readonly item: T;
  readonly count: number;
}

/**
 * Folds by a merge that is associative as a binary counter counts: equals are merged with equals, so that what a merge
 * copies (lists, such as the likelihoods of tokens) is copied log n times for n items, and not n times. There are as many
 * merges as in any other order.
 */
export class BalancedFold<T> {
  private readonly merge: (a: T, b: T) => T;
  /** In their order, each of at least twice as many items as the next. */
  private readonly parts: Part<T>[] = [];

  constructor(merge: (a: T, b: T) => T) {
    this.merge = merge;
  }

  add(item: T): void {
    let part: Part<T> = { item, count: 1 };
    for (let last = this.parts.at(-1); last?.count === part.count; last = this.parts.at(-1)) {
      part = { item: this.merge(last.item, part.item), count: last.count * 2 };
      this.parts.pop();
    }
    this.parts.push(part);
  }

  /** All of them merged; `undefined` if there were none. */
  get value(): T | undefined {
    return this.parts
      .map(({ item }) => item)
      .reduceRight<T | undefined>(
        (later, item) => (later === undefined ? item : this.merge(item, later)),
        undefined,
      );
  }
}

interface Part<T> {
  readonly item: T;
  readonly count: number;
}

/** First in, first out, each in constant time: `Array.shift` moves all that is behind. */
export class Queue<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.head === this.items.length) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    if (this.head === this.items.length) {
      // Not by its length, which takes ten times as long: most queues hold one item at a time.
      if (this.head === 1) this.items.pop();
      else this.items = [];
      this.head = 0;
    } else if (this.head >= 64 && this.head * 2 > this.items.length) {
      // A queue that is never quite empty must not keep the places of all that went through it.
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

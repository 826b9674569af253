/** A first-in, first-out queue with constant time for both ends. `Array.shift` moves all items. */
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

  /** The next item, which stays in the queue. */
  peek(): T | undefined {
    return this.items[this.head];
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.head === this.items.length) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    if (this.head === this.items.length) {
      // Most queues hold one item at a time. pop() takes a tenth of the time of setting the length.
      if (this.head === 1) this.items.pop();
      else this.items = [];
      this.head = 0;
    } else if (this.head >= 64 && this.head * 2 > this.items.length) {
      // A queue that never becomes empty must not keep the slots of all past items.
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

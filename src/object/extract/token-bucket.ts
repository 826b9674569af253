/**
 * A token bucket. It fills at a rate and holds the amount of one second. An amount that is larger than the bucket is
 * available when the bucket is full, and leaves a debt.
 */
export class TokenBucket {
  /** Per millisecond. `Infinity`: there is always enough. */
  rate: number;
  private level: number;
  private filledAt: number;

  constructor(rate: number, level: number, now: number) {
    this.rate = rate;
    this.level = level;
    this.filledAt = now;
  }

  setRate(rate: number, now: number): void {
    this.fill(now);
    this.rate = rate;
    this.level = Math.min(this.level, this.capacity);
  }

  /** The time until the amount is available, in milliseconds. */
  delay(amount: number, now: number): number {
    if (this.rate === Infinity) return 0;
    this.fill(now);
    return Math.max(0, (Math.min(amount, this.capacity) - this.level) / this.rate);
  }

  /** Takes an amount out of the bucket, or puts a negative one back. */
  spend(amount: number): void {
    if (this.rate !== Infinity) this.level -= amount;
  }

  private get capacity(): number {
    return Math.max(this.rate * 1_000, 1);
  }

  private fill(now: number): void {
    const filled = this.rate === Infinity ? this.level : this.level + (now - this.filledAt) * this.rate;
    this.level = Math.min(filled, this.capacity);
    this.filledAt = now;
  }
}

/** The mean rate of events in about the last ten seconds, per millisecond. An older event counts less. */
export class RecentRate {
  private readonly begunAt: number;
  private amount = 0;
  private countedAt: number;

  constructor(now: number) {
    this.begunAt = now;
    this.countedAt = now;
  }

  /** A negative amount takes events back. */
  add(amount: number, now: number): void {
    this.amount = Math.max(this.amountAt(now) + amount, 0);
    this.countedAt = now;
  }

  rate(now: number): number {
    const measured = memory * (1 - Math.exp(-Math.max(now - this.begunAt, shortest) / memory));
    return this.amountAt(now) / measured;
  }

  private amountAt(now: number): number {
    return this.amount * Math.exp((this.countedAt - now) / memory);
  }
}

const memory = 10_000;
/** In less time than a second, a burst would look like a rate. */
const shortest = 1_000;

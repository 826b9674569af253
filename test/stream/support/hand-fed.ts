/** A source whose items a test provides one at a time. */
export class HandFed<T> implements AsyncIterable<T> {
  pulls = 0;
  returns = 0;
  private readonly queued: IteratorResult<T, undefined>[] = [];
  /** How many of `queued` were read. `shift()` on a long array takes time in proportion to its length. */
  private read = 0;
  private readonly waiting: ((result: Promise<IteratorResult<T, undefined>>) => void)[] = [];
  private failure: Promise<never> | undefined;

  /** Resolves when the items have been processed. */
  async give(...items: T[]): Promise<void> {
    for (const value of items) {
      this.queued.push({ done: false, value });
      this.feed();
    }
    await turn();
  }

  async end(): Promise<void> {
    this.queued.push({ done: true, value: undefined });
    this.feed();
    await turn();
  }

  async fail(error: unknown): Promise<void> {
    this.failure = Promise.reject(error);
    this.failure.catch(() => {});
    this.feed();
    await turn();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => {
        this.pulls++;
        return new Promise((resolve) => {
          this.waiting.push(resolve);
          this.feed();
        });
      },
      return: () => {
        this.returns++;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  private feed(): void {
    while (this.waiting.length > 0) {
      const result = this.queued[this.read];
      const answer = result === undefined ? this.failure : Promise.resolve(result);
      if (answer === undefined) return;
      if (result !== undefined) this.read++;
      this.waiting.shift()?.(answer);
    }
  }
}

/** One turn of the event loop: everything that is ready has run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** The state of a promise at this moment. */
export async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    (value) => (state = value),
    (error: unknown) => (state = error),
  );
  await turn();
  return state;
}

/** A source that gives what a test hands it, when the test does so. */
export class HandFed<T> implements AsyncIterable<T> {
  pulls = 0;
  returns = 0;
  private readonly given: IteratorResult<T, undefined>[] = [];
  private readonly askers: ((result: Promise<IteratorResult<T, undefined>>) => void)[] = [];
  private failure: Promise<never> | undefined;

  /** Resolves when what follows from it has happened. */
  async give(...items: T[]): Promise<void> {
    for (const value of items) {
      this.given.push({ done: false, value });
      this.feed();
    }
    await turn();
  }

  async end(): Promise<void> {
    this.given.push({ done: true, value: undefined });
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
          this.askers.push(resolve);
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
    while (this.askers.length > 0) {
      const result = this.given.shift();
      const answer = result === undefined ? this.failure : Promise.resolve(result);
      if (answer === undefined) return;
      this.askers.shift()?.(answer);
    }
  }
}

/** A turn of the event loop: all that is ready has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** What a promise has come to by now. */
export async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    (value) => (state = value),
    (error: unknown) => (state = error),
  );
  await turn();
  return state;
}

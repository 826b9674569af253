import { fromIterable } from "../../stream/sources/from-iterable.js";
import { fromPromise } from "../../stream/sources/from-promise.js";

/** What a run gives: any number of progress values, then its result. */
export type RunStep = { readonly progress: unknown } | { readonly result: unknown };

/**
 * The steps of a run that gave a value, a promise of one, or an async iterable of progress that returns one. Nothing runs
 * before the stream is opened.
 */
export function stepsOf(run: () => unknown): AsyncIterable<RunStep> {
  return {
    [Symbol.asyncIterator]: () => {
      const returned = new Promise<unknown>((resolve) => {
        resolve(run());
      });
      return fromPromise(returned, stepsOfValue)[Symbol.asyncIterator]();
    },
  };
}

function stepsOfValue(value: unknown): AsyncIterable<RunStep> {
  return isAsyncIterable(value) ? new ReturningSteps(value) : fromIterable<RunStep>([{ result: value }]);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown, unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] === "function";
}

/** `for await` drops what an iterator returns: here it is the last item. */
class ReturningSteps implements AsyncIterable<RunStep> {
  private readonly source: AsyncIterable<unknown, unknown>;

  constructor(source: AsyncIterable<unknown, unknown>) {
    this.source = source;
  }

  [Symbol.asyncIterator](): AsyncIterator<RunStep, undefined> {
    const iterator = this.source[Symbol.asyncIterator]();
    let over = false;
    return {
      next: async () => {
        const { done, value } = await iterator.next();
        if (done !== true) return { done: false, value: { progress: value } };
        over = true;
        return { done: false, value: { result: value } };
      },
      return: async () => {
        if (!over) await iterator.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}

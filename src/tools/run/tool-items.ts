import { fromIterable } from "../../stream/sources/from-iterable.js";
import { fromPromise } from "../../stream/sources/from-promise.js";
import { none } from "../../stream/core/ready.js";
import { done, itemOf } from "../../stream/core/result.js";

/** An item of a tool: any number of progress values, then the result. */
export type ToolItem = { readonly progress: unknown } | { readonly result: unknown };

/** The items of a value, a promise of one, or an async iterable that yields progress and returns the result. */
export function itemsOf(returned: unknown): AsyncIterable<ToolItem> {
  return fromPromise(Promise.resolve(returned), (value) =>
    isAsyncIterable(value) ? withReturned(value) : fromIterable<ToolItem>([{ result: value }]),
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown, unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] === "function";
}

/** Yields the return value of an iterator as the last item: `for await` would drop it. */
function withReturned(source: AsyncIterable<unknown, unknown>): AsyncIterable<ToolItem> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      let over = false;
      return {
        next: async () => {
          const result = await iterator.next();
          const progress = itemOf(result);
          if (progress !== none) return { done: false, value: { progress } };
          over = true;
          return { done: false, value: { result: result.value } };
        },
        return: async () => {
          if (!over) await iterator.return?.();
          return done();
        },
      };
    },
  };
}

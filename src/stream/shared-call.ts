import { share } from "./operators/share.js";

/** Keeps what a call has yielded, for its results and for views that open late. */
export interface CallRecorder<In, Out> {
  /** Returns the item as the views get it. */
  add(item: In): Out;
  end(): void;
  fail(error: unknown): void;
  /** The last view left early. */
  leave(): void;
}

/** One reading of a source, shared by views and results. */
export interface SharedCall<Out> {
  /** The items from now on. Views that are open at the same time wait for each other as those of `share()`. */
  readonly items: AsyncIterable<Out>;
  /**
   * Reads the source to its end unless a view does. Once there is a view, views decide how fast it is read, and the last
   * one to leave stops it.
   */
  readonly run: () => Promise<void>;
}

/** Nothing is read before a view or `run()` asks. */
export function sharedCall<In, Out>(
  source: AsyncIterable<In>,
  recorder: CallRecorder<In, Out>,
): SharedCall<Out> {
  const shared = share<Out>()(recorded(source, recorder));
  let viewed = false;
  /** Reads the source while there is no view. */
  let drain: AsyncIterator<Out> | undefined;
  return {
    items: {
      [Symbol.asyncIterator]: () => {
        const iterator = shared[Symbol.asyncIterator]();
        viewed = true;
        void drain?.return?.(); // after the view has joined: the last to leave stops the source
        return iterator;
      },
    },
    async run() {
      if (viewed || drain !== undefined) return;
      drain = shared[Symbol.asyncIterator]();
      while ((await drain.next()).done !== true);
    },
  };
}

/** Passes the items on and records them. */
function recorded<In, Out>(source: AsyncIterable<In>, recorder: CallRecorder<In, Out>): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const result = await iterator.next();
            if (result.done !== true) return { done: false, value: recorder.add(result.value) };
          } catch (error) {
            recorder.fail(error);
            throw error;
          }
          recorder.end();
          return { done: true, value: undefined };
        },
        return: async () => {
          recorder.leave();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

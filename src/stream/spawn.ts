import { merging } from "./merging.js";
import type { Operator } from "./operator.js";

/**
 * Hands on each item as it is, and merges in the streams that items start, at once when the item arrives, while the source
 * goes on. The stream ends when the source and all that was started have ended; an error of one closes all.
 */
export function spawn<T>(start: (item: T) => AsyncIterable<T> | undefined): Operator<T, T> {
  return (source) =>
    merging([source], (item, add) => {
      const started = start(item);
      if (started !== undefined) add(started);
    });
}

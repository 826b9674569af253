import type { Operator } from "millrace";
import { stage } from "#src/stream/core/stage.js";

/** Reads `size` items, then yields them at once, like a network read that contains several tokens. */
export function bursts<T>(size: number): Operator<T, T> {
  return stage((emit) => {
    let burst: T[] = [];
    const give = (): void => {
      for (const item of burst) emit(item);
      burst = [];
    };
    return {
      next: (item) => {
        if (burst.push(item) === size) give();
      },
      end: give,
    };
  });
}

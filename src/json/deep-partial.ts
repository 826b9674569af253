/**
 * A value that is still arriving: any property may be missing, at any depth, and so may the last elements of a tuple. What
 * is there has its full type: numbers, literals and enums appear only when they are complete. Strings grow.
 *
 * @example
 * ```ts
 * import type { DeepPartial } from "millrace";
 *
 * type Review = { mood: "good" | "bad"; tags: { name: string }[] };
 * const soFar: DeepPartial<Review> = { tags: [{}] };
 * console.log(soFar.mood ?? "not yet known", soFar.tags?.length);
 * ```
 */
export type DeepPartial<T> = T extends Whole
  ? T
  : T extends readonly (infer Element)[]
    ? number extends T["length"]
      ? T extends unknown[]
        ? DeepPartial<Element>[]
        : readonly DeepPartial<Element>[]
      : { [Index in keyof T]?: DeepPartial<T[Index]> }
    : T extends object
      ? { [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

/** What has no parts. A branded string or number is an object type too, so these come first. */
type Whole =
  string | number | boolean | bigint | symbol | null | undefined | Date | ((...args: never) => unknown);

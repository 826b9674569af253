/**
 * A value that is still arriving. Any property may be missing, at any depth, and so may the last elements of a tuple.
 * A property that is present has its full type: numbers, literals and enums appear only when they are complete. Strings
 * grow.
 *
 * It is read-only at every depth, because snapshots share the parts that did not change: a change to one of them would
 * show up in the others.
 *
 * @example
 * ```ts
 * import type { DeepPartial } from "millrace";
 *
 * type Review = { mood: "good" | "bad"; tags: { name: string }[] };
 * const partial: DeepPartial<Review> = { tags: [{}] };
 * console.log(partial.mood ?? "not yet known", partial.tags?.length);
 * ```
 */
export type DeepPartial<T> = T extends Atom
  ? T
  : T extends readonly (infer Element)[]
    ? number extends T["length"]
      ? readonly DeepPartial<Element>[]
      : { readonly [Index in keyof T]?: DeepPartial<T[Index]> }
    : T extends object
      ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

/** A value without parts. Branded strings and numbers are object types too, so this comes first. */
export type Atom =
  string | number | boolean | bigint | symbol | null | undefined | Date | ((...args: never) => unknown);

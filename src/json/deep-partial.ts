/**
 * A value that is still arriving. Any property may be missing, at any depth, and so may the last elements of a tuple.
 * A property that is present has its full type: numbers, literals and enums appear only when they are complete. Strings
 * grow. An object of a discriminated union appears when its discriminator is known, so that property is always present:
 * the guard of the schema withholds the object until then.
 *
 * It is read-only at every depth, because snapshots share the parts that did not change: a change to one of them would
 * show up in the others.
 *
 * @example
 * ```ts
 * import type { DeepPartial } from "millrace/json";
 *
 * type Review = { mood: "good" | "bad"; tags: { name: string }[] };
 * const partial: DeepPartial<Review> = { tags: [{}] };
 * console.log(partial.mood ?? "not yet known", partial.tags?.length);
 * ```
 */
export type DeepPartial<T> = PartialMember<T, DiscriminatorOf<ObjectsOf<T>>>;

type PartialMember<T, Kept extends PropertyKey> = T extends Atom
  ? T
  : T extends readonly (infer Element)[]
    ? number extends T["length"]
      ? readonly DeepPartial<Element>[]
      : { readonly [Index in keyof T]?: DeepPartial<T[Index]> }
    : T extends object
      ? [Kept] extends [never]
        ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
        : Flat<
            { readonly [Key in Extract<keyof T, Kept>]: T[Key] } & {
              readonly [Key in Exclude<keyof T, Kept>]?: DeepPartial<T[Key]>;
            }
          >
      : T;

type Flat<T> = { [Key in keyof T]: T[Key] };

type ObjectsOf<T> = T extends Atom | readonly unknown[] ? never : T extends object ? T : never;

/** The keys that each object of a union requires, with a literal type in each. */
type DiscriminatorOf<Union, Key = keyof Union> =
  IsUnion<Union> extends true
    ? Key extends keyof Union
      ? [WithoutLiteral<Union, Key>] extends [never]
        ? Key
        : never
      : never
    : never;

/** The members of the union that do not require the key, or have another type than literals there. */
type WithoutLiteral<Union, Key extends keyof Union> = Union extends unknown
  ? Union extends Required<Pick<Union, Key>>
    ? IsLiteral<Union[Key]> extends true
      ? never
      : Union
    : Union
  : never;

/** Whether the type has named values only. `string`, `number` and template literals have an index signature as keys. */
type IsLiteral<T> = [T] extends [string | number]
  ? WithoutKeys extends Record<T, 1>
    ? false
    : true
  : [boolean] extends [T]
    ? false
    : [T] extends [boolean]
      ? true
      : false;

/** Assignable to an index signature, but not to a type with a key that is required. */
type WithoutKeys = Partial<Record<typeof Symbol.iterator, never>>;

type IsUnion<T, Whole = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [Whole] extends [T]
      ? false
      : true
    : false;

/** A value without parts. Branded strings and numbers are object types too, so this comes first. */
export type Atom =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | ((...args: never) => unknown);

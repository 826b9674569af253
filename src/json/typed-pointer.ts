import type { Atom } from "./deep-partial.js";
import type { JsonValue } from "./value.js";

/**
 * The type of the value at a JSON Pointer (RFC 6901) in a document of type `Input`. `JsonValue` where the type cannot
 * tell: the pointer is a `string`, or it leads through `unknown` or `JsonValue`. A part of the pointer that is not a
 * literal is any index or key: `/steps/${number}`.
 */
export type ValueAt<Input, Pointer extends string> = string extends Pointer
  ? JsonValue
  : JsonOf<ValueOnWay<Input, KeysOf<Pointer>>>;

/** The pointer itself, or, where the type has no such value, a sentence for the compiler to show. */
export type ValuePointer<Input, Pointer extends string> = [PointerFault<Input, Pointer, unknown>] extends [
  never,
]
  ? Pointer
  : PointerFault<Input, Pointer, unknown>;

/**
 * The type of the elements of the array at a JSON Pointer (RFC 6901) in a document of type `Input`. `JsonValue` where
 * the type cannot tell: the pointer is not a literal, or it leads through `unknown` or `JsonValue`.
 */
export type ItemAt<Input, Pointer extends string> = string extends Pointer
  ? JsonValue
  : ElementOf<ValueOnWay<Input, KeysOf<Pointer>>>;

/** The pointer itself, or, where the schema has no array there, a sentence for the compiler to show. */
export type ItemsPointer<Input, Pointer extends string> = [
  PointerFault<Input, Pointer, readonly unknown[]>,
] extends [never]
  ? Pointer
  : PointerFault<Input, Pointer, readonly unknown[]>;

/** @typeParam Expected what the value must be able to be */
type PointerFault<Input, Pointer extends string, Expected> = string extends Pointer
  ? never
  : Pointer extends "" | `/${string}`
    ? HasBadEscape<Pointer> extends true
      ? `In a JSON Pointer "~" is written "~0", and "/" in a key "~1".`
      : FaultOnWay<Input, KeysOf<Pointer>, "", Pointer, Expected>
    : `A JSON Pointer is "" or begins with "/": "/${Pointer}".`;

type FaultOnWay<T, Keys extends readonly string[], Parent extends string, Pointer extends string, Expected> =
  IsAnyJson<T> extends true
    ? never
    : Keys extends [infer Key extends string, ...infer Rest extends string[]]
      ? [StepTo<T, Key>] extends [never]
        ? `The schema has no "${Key}" ${Parent extends "" ? "at the root" : `at "${Parent}"`}.`
        : FaultOnWay<StepTo<T, Key>, Rest, `${Parent}/${Key}`, Pointer, Expected>
      : [Extract<T, Expected>] extends [never]
        ? `The schema has no array at ${Pointer extends "" ? "the root" : `"${Pointer}"`}.`
        : never;

/** The keys of a pointer: `"/a~1b/0"` is `["a/b", "0"]`. */
type KeysOf<Pointer extends string> = Pointer extends `/${infer Rest}` ? SplitKeys<Rest> : [];

type SplitKeys<Text extends string, Keys extends string[] = []> = Text extends `${infer Key}/${infer Rest}`
  ? SplitKeys<Rest, [...Keys, Unescaped<Key>]>
  : [...Keys, Unescaped<Text>];

type Unescaped<Key extends string> = Replaced<Replaced<Key, "~1", "/">, "~0", "~">;

type Replaced<
  Text extends string,
  From extends string,
  To extends string,
> = Text extends `${infer Before}${From}${infer After}` ? `${Before}${To}${Replaced<After, From, To>}` : Text;

type HasBadEscape<Pointer extends string> =
  Replaced<Replaced<Pointer, "~0", "">, "~1", ""> extends `${string}~${string}` ? true : false;

type ValueOnWay<T, Keys extends readonly string[]> = Keys extends [
  infer Key extends string,
  ...infer Rest extends string[],
]
  ? ValueOnWay<StepTo<T, Key>, Rest>
  : T;

/** The value one key further, for each member of a union; `never` where there cannot be one. */
type StepTo<T, Key extends string> = IsAnyJson<T> extends true ? JsonValue : StepInto<T, Key>;

type StepInto<T, Key extends string> = T extends Atom
  ? never
  : T extends readonly unknown[]
    ? IsOpenIndex<Key> extends true
      ? T[number]
      : Key extends IndexKey
        ? ElementAt<T, Key>
        : never
    : T extends object
      ? string extends Key
        ? Exclude<T[keyof T], undefined>
        : MemberAt<T, Key>
      : never;

/** Whether the key may be any index: a part of a template literal, as in `/steps/${number}`. */
type IsOpenIndex<Key extends string> = `${number}` extends Key ? true : false;

/** Digits without a sign or a leading zero: `${bigint}` matches only text that `BigInt` prints. */
type IndexKey = Exclude<`${bigint}`, `-${string}`>;

type ElementAt<T extends readonly unknown[], Key extends string> = number extends T["length"]
  ? T[number]
  : Key extends keyof T
    ? Exclude<T[Key], undefined>
    : never;

type MemberAt<T, Key extends string> = Key extends keyof T
  ? Exclude<T[Key], undefined>
  : Key extends `${infer Index extends number}`
    ? Index extends keyof T
      ? Exclude<T[Index], undefined>
      : never
    : never;

type ElementOf<T> =
  IsAnyJson<T> extends true ? JsonValue : T extends readonly (infer Element)[] ? JsonOf<Element> : never;

type JsonOf<T> = IsAnyJson<T> extends true ? JsonValue : T;

/** Whether the type says nothing about the value: `any`, `unknown`, `JsonValue`, or a union with one of them. */
type IsAnyJson<T> = [JsonValue] extends [T] ? true : false;

import type { JsonObject, JsonValue } from "../../json/value.js";
import type { InputOf, OutputOf, SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool } from "./any-tool.js";

/** What a schema is of: the arguments of `run`, before anything is injected. A tool without one takes a text. */
export type ArgsOf<S> = S extends undefined
  ? string
  : S extends { readonly type: "string" }
    ? string
    : S extends SchemaInput
      ? ObjectOf<OutputOf<S>>
      : never;

/** What is given to a tool as an operator: the arguments before transforms and defaults, without those that are injected. */
export type InputArgsOf<S, Inject> = S extends undefined
  ? string
  : S extends { readonly type: "string" }
    ? string
    : S extends SchemaInput
      ? Without<ObjectOf<InputOf<S>>, keyof Inject>
      : never;

/** A JSON Schema says nothing to the compiler, but that of a tool is of an object. */
type ObjectOf<T> = JsonValue extends T ? JsonObject : T;

type Without<T, Names extends PropertyKey> = [Names] extends [never]
  ? T
  : T extends unknown
    ? Omit<T, Names>
    : never;

/** What `run` is given: an injected value has the type that the schema says, or else that of its function. */
export type RunArgs<S, Inject> = [keyof Inject] extends [never]
  ? ArgsOf<S>
  : ArgsOf<S> & {
      readonly [Name in Exclude<keyof Inject, keyof OutputOfSchema<S>>]: Injected<Inject[Name]>;
    };

type Injected<Fill> = Fill extends (...args: never) => infer Value ? Awaited<Value> : never;

type OutputOfSchema<S> = S extends SchemaInput
  ? JsonValue extends OutputOf<S>
    ? unknown
    : OutputOf<S>
  : unknown;

/** What a run returns in the end. */
export type ResultOf<Returned> =
  Awaited<Returned> extends AsyncIterable<unknown, infer Result, never>
    ? 0 extends 1 & Result
      ? unknown
      : Result
    : Awaited<Returned>;

/** A tool keeps its name and its schema for `toolCallsParser()`, which types each call by them. */
export type Callable<Name extends string, S, Inject> = { readonly name: Name } & (S extends SchemaInput
  ? [keyof Inject, ArgsOf<S>] extends [never, object]
    ? { readonly schema: S }
    : Pick<AnyTool, "schema">
  : Pick<AnyTool, "schema">);

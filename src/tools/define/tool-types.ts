import type { JsonObject, JsonValue } from "../../json/value.js";
import type { InputOf, OutputOf, SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool } from "../run/any-tool.js";
import type { ResultWithState } from "../run/own-state.js";

/** The arguments of `run` without injected ones. A tool without a schema takes a string. */
export type ArgsOf<S> = S extends undefined
  ? string
  : S extends { readonly type: "string" }
    ? string
    : S extends SchemaInput
      ? KnownArgs<OutputOf<S>>
      : never;

/** The inputs of a tool used as an operator: the arguments before transforms and defaults, without injected ones. */
export type InputArgsOf<S, Inject> = S extends undefined
  ? string
  : S extends { readonly type: "string" }
    ? string
    : S extends SchemaInput
      ? OmitNames<KnownArgs<InputOf<S>>, keyof Inject>
      : never;

/** The compiler knows nothing of a JSON Schema, except that the arguments of a tool are an object. */
type KnownArgs<T> = JsonValue extends T ? JsonObject : T;

type OmitNames<T, Names extends PropertyKey> = [Names] extends [never]
  ? T
  : T extends unknown
    ? Omit<T, Names>
    : never;

/** The arguments of `run`. An injected argument has its type in the schema, or else the return type of its function. */
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

/** The final result of `run`. */
export type ResultOf<Returned> = WithoutState<
  Awaited<Returned> extends AsyncIterable<unknown, infer Result, never>
    ? 0 extends 1 & Result
      ? unknown
      : Result
    : Awaited<Returned>
>;

type WithoutState<Result> = Result extends ResultWithState<infer Inner> ? Inner : Result;

/** The name and schema of a tool, by which `toolCallsParser()` types each call. */
export type Callable<Name extends string, S, Inject> = { readonly name: Name } & (S extends SchemaInput
  ? [keyof Inject, ArgsOf<S>] extends [never, object]
    ? { readonly schema: S }
    : Pick<AnyTool, "schema">
  : Pick<AnyTool, "schema">);

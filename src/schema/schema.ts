import type { JsonObject } from "../json/value.js";

/** A JSON Schema as plain data: 2020-12, or the draft that its `$schema` names. */
export type JsonSchema = JsonObject;

/** What every kind of schema looks like from inside: a name and a JSON Schema for the model, a check for the answer. */
export interface Schema<T> {
  /** Its `title`, or `"output"`. */
  readonly name: string;
  /**
   * What the model must write, before transforms and defaults.
   *
   * @throws {SchemaError} `no_json_schema` if the schema cannot be written as JSON Schema
   */
  readonly jsonSchema: JsonSchema;
  /**
   * What the guard holds a stream to: `jsonSchema` without what the library takes all the same, as it coerces, trims, or
   * falls back on another value.
   *
   * @throws {SchemaError} `no_json_schema` if the schema cannot be written as JSON Schema
   */
  readonly streamSchema: JsonSchema;
  /** The schema's own check, with its refinements, transforms and defaults. A promise if the schema is asynchronous. */
  validate(value: unknown): Validation<T> | Promise<Validation<T>>;
}

/** The outcome of a check: the value as the schema makes it, or what is wrong with it. */
export type Validation<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** Where (RFC 6901). */
  readonly pointer: string;
  /** What, in the words of the schema's library. */
  readonly message: string;
}

/** Calls `next` with the value: at once, or when the promise resolves. Most schemas check synchronously. */
export function thenOrNow<T, Out>(
  value: T | Promise<T>,
  next: (value: T) => Out | Promise<Out>,
): Out | Promise<Out> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All issues in one line: `/a: Expected a string; /b: …`. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ pointer, message }) => `${pointer === "" ? "the root" : pointer}: ${message}`)
    .join("; ");
}

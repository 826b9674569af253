import type { JsonObject } from "../json/value.js";
import { cut } from "../text/cut.js";

/** A JSON Schema as plain data: draft 2020-12, or the draft that its `$schema` names. */
export type JsonSchema = JsonObject;

/** The `title`, or `"output"`: a tool needs a name. */
export function titleOf({ title }: JsonSchema): string {
  return typeof title === "string" && title.trim() !== "" ? title : "output";
}

/** The common form of all kinds of schema: a name and a JSON Schema for the model, and a check for the answer. */
export interface Schema<T> {
  /** The `title` of the schema, or `"output"`. */
  readonly name: string;
  /**
   * JSON Schema of the input: what the model must write, before transforms and defaults.
   *
   * @throws {SchemaError} `no_json_schema` if the schema cannot be written as JSON Schema
   */
  readonly jsonSchema: JsonSchema;
  /**
   * JSON Schema that the guard checks a stream against: only what the library really checks, before it coerces, trims
   * or falls back to another value.
   *
   * @throws {SchemaError} `no_json_schema` if nothing is known about it
   */
  readonly streamSchema: JsonSchema;
  /**
   * The parts of a JSON Schema that are not applied as written, with their places in it: patterns that are invalid in
   * unicode mode, and references without a target. Other schemas have none.
   */
  readonly warnings: readonly SchemaIssue[];
  /** The schema's own check, with its refinements, transforms and defaults. A promise if the schema is asynchronous. */
  validate(value: unknown): Validation<T> | Promise<Validation<T>>;
}

/** The result of a check: the value with transforms and defaults applied, or its issues. */
export type Validation<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One fault in a value, or in a schema. */
export interface SchemaIssue {
  /** The place of the fault: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The message of the schema's library. */
  readonly message: string;
}

/** Calls `next` with the value: at once, or when the promise resolves. Most schemas check synchronously. */
export function thenOrNow<T, Out>(
  value: T | Promise<T>,
  next: (value: T) => Out | Promise<Out>,
): Out | Promise<Out> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `next` with all values: at once, or when the promises among them resolve. */
export function allOrNow<T, Out>(
  values: readonly (T | Promise<T>)[],
  next: (values: readonly T[]) => Out,
): Out | Promise<Out> {
  const isSettled = (value: T | Promise<T>): value is T => !(value instanceof Promise);
  if (values.every(isSettled)) return next(values);
  return Promise.all(values.map((value) => Promise.resolve(value))).then(next);
}

/** The first issues in one line, each shortened: `/a: Expected a string; /b: …; and 3 more`. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  const shown = issues
    .slice(0, maxIssues)
    .map(({ pointer, message }) => `${placeOf(pointer)}: ${cut(message, maxMessage)}`);
  const others = issues.length - shown.length;
  return (others > 0 ? [...shown, `and ${others} more`] : shown).join("; ");
}

/** A place in a document, shortened for an error message. */
export function placeOf(pointer: string): string {
  return pointer === "" ? "the root" : cut(pointer, maxPlace);
}

const maxIssues = 20;
const maxMessage = 400;
const maxPlace = 200;

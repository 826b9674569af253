import type { JsonGuard } from "../../json/guard.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatch, JsonPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { parsePointer } from "../../tree/pointer.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import { exampleOf } from "../../schema/example/example.js";
import { requireArrayAt } from "../../schema/guard/array-at.js";
import { guardOfSchema } from "../../schema/guard/guard.js";
import { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "../../schema/schema-of.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import type { Schema } from "../../schema/schema.js";
import type { Operator } from "../../stream/operator.js";
import { mapAsync } from "../../stream/operators/map-async.js";
import { pipe } from "../../stream/pipe.js";
import { check } from "../check.js";
import { stoppedEarly } from "../truncation.js";
import { OutputParserError } from "../errors.js";
import { events, type JsonEvent } from "./json-events.js";
import type { ItemAt, ItemsPointer } from "./item-at.js";
import { itemsAt } from "./json-items.js";
import { jsonAtEnd, jsonStage, outputError, type JsonView } from "./json-stage.js";
import { type Chunk, type Output, type OutputParser, textOfOutput } from "../output-parser.js";
import { patches, snapshots } from "../views.js";

/** Those of `JsonParser`, for each stream that is read, but with `extract: "auto"` and `repair: true` by default. */
export interface JsonOutputParserOptions extends Omit<JsonParserOptions, "onComplete" | "guard"> {
  /**
   * What watches a stream while it arrives; `false` for nothing, so that the schema is heard only at the end. Default: the
   * guard of the schema, `guardOf(schema)`. `parse()` has the whole text and needs none.
   */
  readonly guard?: JsonGuard | false;
  /**
   * Takes `null` for a property that is absent, where the schema allows that one and not the other: what the strict mode
   * of some providers makes of an optional property (docs/openai.md). Partial values show the null, the final one does
   * not. Default: false.
   */
  readonly nullAsAbsent?: boolean;
  /** The output must be JSON and nothing else: `extract: "none"` and `repair: false`. Default: false. */
  readonly strict?: boolean;
}

/**
 * The parser of JSON, with every view that its streams can give.
 *
 * @typeParam Input what the model writes
 * @typeParam Output what the schema makes of it
 */
export interface JsonOutputParser<Input, Output> extends OutputParser<Output, DeepPartial<Input>> {
  /** After each chunk that changed something, the change: RFC 6902, and `append` if that option is set. */
  readonly patches: Operator<Chunk, JsonPatch>;
  /**
   * Each value of the document once, with whether it is complete: as it completes, the inner ones before those around
   * them; and, where the output is cut or invalid, all that is still open, with what is known of it, before the error. Only
   * what `allow` never showed, as half a number, gives no event, nor does what broke the schema. Of a key given twice both
   * values come. What a schema says of the whole is known only at the end: what must satisfy it waits for `.final`.
   */
  readonly events: Operator<Chunk, JsonEvent>;
  /** The finished, checked value, once, at the end. */
  readonly final: Operator<Chunk, Output>;
  /**
   * Yields each element of the array at a JSON Pointer (RFC 6901) once, as soon as it is complete. The type of the
   * elements comes from the schema and the pointer: `items("/steps")`. Elements are what the model wrote; with an
   * `itemSchema` each is checked, and transforms and defaults are applied.
   *
   * A missing array and `null` yield nothing. Any other value there ends the stream with `not_an_array`.
   *
   * A literal pointer that the schema rules out does not compile. Others are checked against the schema when the
   * operator is created.
   *
   * @throws {TypeError} if the pointer is malformed, or the schema rules out an array there
   */
  items<const Pointer extends string>(
    pointer: ItemsPointer<Input, Pointer>,
  ): Operator<Chunk, ItemAt<Input, Pointer>>;
  items<const Pointer extends string, S extends SchemaInput>(
    pointer: ItemsPointer<Input, Pointer>,
    itemSchema: S,
  ): Operator<Chunk, OutputOf<S>>;
}

/**
 * Reads JSON while a model writes it: in prose, fences and `<think>` blocks or bare, and repaired where it is nearly JSON.
 * Each repair is reported through `onRepair`; `strict: true` takes nothing but JSON.
 *
 * `.stream` gives an immutable snapshot after each chunk that changed something; parts that did not change are the same
 * objects as before. `.patches`, `.items()`, `.events` and `.final` are other views of the same reading. Every view checks
 * the end: a document that is cut or invalid, or does not satisfy the schema, ends the stream with an `OutputParserError`
 * that carries the value so far and why the model stopped; what the last chunk gave is shown before it.
 *
 * With a schema, the stream is guarded: it ends at the first chunk after which the schema cannot be satisfied any more, by
 * such an error with a `SchemaViolation` as its `cause`, and the source is closed, which stops the model. Enums, formats
 * and other values that mislead in part are shown only whole. `guardOf()` says what exactly; `guard: false` leaves all to
 * the end.
 *
 * `.instructions` has the JSON Schema and one example, made of what the schema names (`examples`, `enum`, a `default`) and of
 * values that keep its rules. The example has passed the schema's check; where none is found that does, as for a pattern
 * without `examples`, there is none.
 *
 * @param schema Zod 4, any other Standard Schema, or JSON Schema. It gives the types, the instructions and the check.
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe } from "millrace";
 * import { z } from "zod";
 *
 * const recipe = jsonParser(z.object({ name: z.string(), steps: z.array(z.string()) }));
 * const chunks = ['{"name": "Tea", "st', 'eps": ["Boil wa', 'ter", "Pour"]}'];
 * for await (const partial of pipe(from(chunks), recipe.stream)) console.log(partial);
 * for await (const patch of pipe(from(chunks), recipe.patches)) console.log(JSON.stringify(patch));
 * for await (const step of pipe(from(chunks), recipe.items("/steps"))) console.log(step);
 * for await (const { pointer, value } of pipe(from(chunks), recipe.events)) console.log(pointer, value);
 * ```
 */
export function jsonParser(
  schema?: undefined,
  options?: JsonOutputParserOptions,
): JsonOutputParser<JsonValue, JsonValue>;
export function jsonParser<S extends SchemaInput>(
  schema: S,
  options?: JsonOutputParserOptions,
): JsonOutputParser<InputOf<S>, OutputOf<S>>;
export function jsonParser(
  input?: SchemaInput,
  { strict = false, nullAsAbsent = false, guard, ...others }: JsonOutputParserOptions = {},
): JsonOutputParser<JsonValue, unknown> {
  const read = (it: SchemaInput): Schema<unknown> =>
    nullAsAbsent ? withNullAsAbsent(schemaOf(it)) : schemaOf(it);
  const schema = input === undefined ? undefined : read(input);
  const unguarded: JsonParserOptions = { extract: strict ? "none" : "auto", repair: !strict, ...others };
  const watching = guard ?? (schema === undefined ? false : guardOfSchema(schema));
  const options = watching === false ? unguarded : { ...unguarded, guard: watching };
  const view = <Out>(createView: () => JsonView<Out>): Operator<Chunk, Out> =>
    jsonStage(options, createView, (value, finishReason) => {
      const result = check(schema, value, finishReason);
      return result instanceof Promise ? result.then(() => {}) : undefined;
    });
  let instructions: string | undefined;
  return {
    get instructions() {
      return (instructions ??= instructionsFor(schema));
    },
    parse: (output) => parseWhole(schema, unguarded, output),
    stream: view(() => snapshots<JsonValue>()) as Operator<Chunk, DeepPartial<JsonValue>>,
    patches: view(() => patches<JsonPatchOperation>()),
    events: view(events),
    final: jsonStage(options, nothing, (value, finishReason, emit) => {
      const result = check(schema, value, finishReason);
      if (result instanceof Promise) return result.then(emit);
      emit(result);
      return undefined;
    }),
    items: (pointer: string, itemSchema?: SchemaInput): Operator<Chunk, never> => {
      const keys = parsePointer(pointer);
      if (schema !== undefined) requireArrayAt(schema, keys);
      const items = view(itemsAt(pointer, keys)) as Operator<Chunk, never>;
      if (itemSchema === undefined) return items;
      const schemaOfItem = read(itemSchema);
      return (source) =>
        pipe(
          source,
          items,
          mapAsync((item) => check(schemaOfItem, item) as Promise<never>),
        );
    },
  };
}

function nothing(): JsonView<unknown> {
  return { show: () => {} };
}

function parseWhole(
  schema: Schema<unknown> | undefined,
  options: JsonParserOptions,
  output: Output,
): unknown {
  const parser = new JsonParser(options);
  const { text, finishReason } = textOfOutput(output);
  try {
    parser.write(text);
    parser.end({ truncated: stoppedEarly(finishReason) });
  } catch (error) {
    throw outputError(error, finishReason);
  }
  const value = jsonAtEnd(parser, finishReason);
  const result = check(schema, value, finishReason);
  if (!(result instanceof Promise)) return result;
  result.catch(() => {}); // nobody waits for it
  throw new OutputParserError(
    "async_schema",
    "The schema checks asynchronously, which parse() cannot wait for. Use .final on a stream of the output.",
    { value, finishReason },
  );
}

function instructionsFor(schema: Schema<unknown> | undefined): string {
  const one = "Answer with one JSON value and nothing else: no prose, no Markdown fence.";
  if (schema === undefined) return one;
  const lines = [`${one} It must satisfy this JSON Schema:`, JSON.stringify(schema.jsonSchema)];
  const example = exampleOf(schema);
  if (example !== undefined)
    lines.push("For example, with values that are made up:", JSON.stringify(example));
  return lines.join("\n");
}

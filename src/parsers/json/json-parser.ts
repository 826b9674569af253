import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { JsonGuard } from "../../json/guard.js";
import { extract } from "../../find/choose/extraction.js";
import { sharedFast } from "../../json/fast/fast-paths.js";
import { coerces, type JsonParserOptions } from "../../json/options.js";
import { rawStrings, repair } from "../../lenient/repair.js";
import type { JsonValue } from "../../json/value.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import { checkLocale } from "../../schema/coerce/check-locale.js";
import { guardOfSchema } from "../../schema/guard-of.js";
import {
  lacksKeywords,
  schemaOf,
  wordsForKeywordless,
  type InputOf,
  type OutputOf,
  type SchemaInput,
} from "../../schema/schema-of.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import type { Schema } from "../../schema/schema.js";
import type { Operator } from "../../stream/operator.js";
import { checkInstructions, type SchemaInstructions } from "../../schema/in-prompt.js";
import { jsonInstructions } from "./instructions.js";
import { events, type JsonEvent } from "./json-events.js";
import { jsonStage } from "./json-stage.js";
import { type JsonViews, jsonViews } from "./json-views.js";
import { shapesOf } from "../../schema/adapters/shapes-of.js";
import type { ItemAt, ItemsPointer } from "../../json/typed-pointer.js";
import { parseWhole } from "./parse-whole.js";
import type { Chunk, OutputParser } from "../output-parser.js";

// prettier-ignore
const optionNames = {
  allow: true, append: true, coerce: true, onCoerce: true, onTruncated: true, extract: true, openThinking: true, repair: true,
  onRepair: true, locale: true, lookAhead: true, maxDepth: true, maxKeys: true, maxLength: true,
  guard: true, nullAsAbsent: true, strict: true, everyChunk: true, instructions: true,
} satisfies OptionNames<JsonOutputParserOptions>;

const hints = { diff: "For patches, use the operator .patches." };

/** The options of `JsonParser`, with words for what is on by default. */
export interface JsonOutputParserOptions extends Omit<
  JsonParserOptions,
  "onComplete" | "guard" | "extract" | "repair" | "fast"
> {
  /**
   * How to find the document. `"none"`: the text is the document. `"auto"`: prose, `<think>` blocks and Markdown fences
   * around the document are skipped (docs/reference/json.md has the rules); a scalar at the root is then known only at
   * the end. Default: `"auto"`.
   */
  readonly extract?: "none" | "auto";
  /**
   * Repair common mistakes of models: comments, missing and trailing commas, single quotes or none, Python literals,
   * and more (docs/reference/repair.md). Valid JSON is never changed. `"strings"`: only raw line breaks and tabs in
   * strings. Default: true.
   */
  readonly repair?: boolean | "strings";
  /**
   * Checks the stream while it arrives. `false` checks the schema only at the end, and coerces nothing. Default:
   * `guardOf(schema)`.
   */
  readonly guard?: JsonGuard | false;
  /**
   * Treats `null` as an absent property where the schema allows the property to be absent but not to be `null`. The
   * strict mode of some providers writes optional properties so (docs/reference/openai.md). The final value does not
   * contain the null; without coercion, partial values do. Default: false.
   */
  readonly nullAsAbsent?: boolean;
  /** Accept only JSON, without text around it: `extract: "none"` and `repair: false`. Default: false. */
  readonly strict?: boolean;
  /**
   * Yield a snapshot in `.stream` after each chunk that changed the value, also of wide objects. It takes quadratic
   * time for an object with thousands of members, because a snapshot copies the open objects. Default: false, which
   * waits while more than 128 members are open, until two to three characters for each of them have arrived.
   */
  readonly everyChunk?: boolean;
  /**
   * How `instructions` writes the schema: as JSON Schema, or as type definitions, which take fewer tokens
   * (docs/reference/prompts.md). Default: `json-schema`.
   */
  readonly instructions?: SchemaInstructions;
}

/**
 * A parser of JSON, with several views of a stream.
 *
 * @typeParam Input the type of the value that the model writes
 * @typeParam Output the type of the checked value, after transforms and defaults
 */
export interface JsonOutputParser<Input, Output>
  extends OutputParser<Output, DeepPartial<Input>>, Omit<JsonViews<Input, Output>, "items"> {
  readonly stream: Operator<Chunk, DeepPartial<Input>>;
  /**
   * Yields the state of each value, in the order of the text: `incomplete` when it begins, and `complete` with the
   * value when it ends, inner values first. When an object begins, each member that the schema names is `pending`. If
   * the output is truncated or invalid, the values that are still open follow before the error, `incomplete` and with
   * the part that was read.
   *
   * A value that broke the schema is never complete, and neither is one that `allow` never showed. A repeated key
   * yields both values. The parts of a value that was coerced as a whole are only reported when they are complete. The
   * schema as a whole is checked only at the end: use `.final` for a value that must satisfy it.
   */
  readonly events: Operator<Chunk, JsonEvent>;
  /** As `items()` of `JsonViews`, with any kind of schema. */
  items<const Pointer extends string>(
    pointer: ItemsPointer<Input, Pointer>,
  ): Operator<Chunk, ItemAt<Input, Pointer>>;
  items<const Pointer extends string, S extends SchemaInput>(
    pointer: ItemsPointer<Input, Pointer>,
    itemSchema: S,
  ): Operator<Chunk, OutputOf<S>>;
}

/**
 * Parses JSON while a model writes it, alone or surrounded by prose, fences and `<think>` blocks. Text that is nearly
 * JSON is repaired, and each repair is reported through `onRepair`. `strict: true` accepts only JSON.
 *
 * `.stream` yields an immutable snapshot after each chunk that changed the value. `.patches`, `.items()`, `.events` and
 * `.final` are other views of the same stream. Every view checks the end: a document that is truncated, invalid or does
 * not satisfy the schema ends the stream with an `OutputParserError`, which carries the value so far and why the model
 * stopped. The values of the last chunk are yielded before the error.
 *
 * A schema guards the stream. At the first chunk after which no continuation can satisfy the schema, the stream ends
 * with such an error, whose `cause` is a `SchemaViolation`, and closes the source, which stops the model. Enums,
 * formats and other values that would mislead in part are withheld until they are complete: see `guardOf()`. `guard:
 * false` leaves all checks to the end.
 *
 * `.instructions` has the JSON Schema and one example. The example uses the values that the schema names (`examples`,
 * `enum`, a `default`) and has passed the schema's check. It is left out if none is found, as for a pattern without
 * `examples`.
 *
 * @param schema Zod 4, any other Standard Schema, or JSON Schema: the source of the types, instructions and checks
 *
 * @throws {TypeError} if `schema` is an object without any keyword of JSON Schema, such as the options
 * @throws {RangeError} if `locale` is not a BCP 47 tag
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
 * for await (const { pointer, state } of pipe(from(chunks), recipe.events)) console.log(pointer, state);
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
  options: JsonOutputParserOptions = {},
): JsonOutputParser<JsonValue, unknown> {
  checkOptions("jsonParser()", options, optionNames, hints);
  const {
    strict = false,
    nullAsAbsent = false,
    everyChunk = false,
    guard,
    instructions: form,
    ...others
  } = options;
  checkInstructions(form);
  checkLocale(options.locale);
  if (lacksKeywords(input)) {
    throw new TypeError(
      `Expected jsonParser(schema, options) with a JSON Schema first, but got ${wordsForKeywordless(input)}.`,
    );
  }
  const { extract: search = strict ? "none" : "auto", repair: repairs = !strict, ...rest } = others;
  const unguarded: JsonParserOptions = {
    ...rest,
    fast: sharedFast(),
    ...(search === "auto" && { extract }),
    ...(repairs !== false && { repair: repairs === "strings" ? rawStrings : repair }),
  };
  const read = (it: SchemaInput): Schema<unknown> =>
    nullAsAbsent ? withNullAsAbsent(schemaOf(it), coerces(unguarded)) : schemaOf(it);
  const schema = input === undefined ? undefined : read(input);
  const activeGuard = guard ?? (schema === undefined ? false : guardOfSchema(schema));
  const parserOptions = activeGuard === false ? unguarded : { ...unguarded, guard: activeGuard };
  const parts = {
    options: parserOptions,
    schema,
    shapes: () => schema && shapesOf(schema),
    everyChunk,
  };
  let instructions: string | undefined;
  return {
    get instructions() {
      return (instructions ??= jsonInstructions(schema, form));
    },
    parse: (output) => parseWhole(schema, parserOptions, output),
    events: jsonStage(parts, () => events(parts.shapes())),
    ...jsonViews(parts, read),
  } as JsonOutputParser<JsonValue, unknown>;
}

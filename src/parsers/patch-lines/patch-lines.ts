import { fast } from "../../json/fast/fast-paths.js";
import { repair as lenient } from "../../lenient/repair.js";
import { defaultMaxDepth } from "../../json/scan/nesting.js";
import { defaultMaxLength, type JsonParserOptions } from "../../json/options.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type JsonValue, withoutUndefined } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { wholeNumber } from "../../text/check-number.js";
import type { Schema } from "../../schema/schema.js";
import { checkLocale } from "../../schema/coerce/check-locale.js";
import { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "../../schema/schema-of.js";
import type { Operator } from "../../stream/operator.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { parsePointer } from "../../tree/pointer.js";
import { workPerCharacter } from "../../tree/work-budget.js";
import type { Chunk, OutputParser } from "../output-parser.js";
import { type Catalogue, schemaOfCatalogue } from "./catalogue.js";
import { checkInstructions, schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import type { PatchLineError } from "./line-error.js";
import { patchFormat } from "./patch-format.js";
import type { PatchLineEvent, PatchLineRepair, PatchLinesRules } from "./patch-lines-reader.js";
import { parseAll, patchLinesStage, type PatchLinesSettings } from "./patch-lines-stage.js";
import { placeGuard } from "./place-guard.js";

/** The names of `LinesOptions`. */
export const linesOptionNames: OptionNames<LinesOptions> = {
  ...{ growing: true, append: true, repair: true, instructions: true },
  ...{ coerce: true, locale: true, lookAhead: true, onRepair: true, onCoerce: true, onLineError: true },
  ...{ onTruncated: true, maxDepth: true, maxKeys: true, maxLength: true, maxLineLength: true },
  ...{ maxOperations: true, maxWaiting: true, maxWork: true },
};

const optionNames = {
  ...linesOptionNames,
  ...{ schema: true, catalogue: true, initial: true, create: true },
} satisfies OptionNames<PatchLinesOptions>;

/** The options of `patchLines()`. */
export interface PatchLinesOptions<S extends SchemaInput = SchemaInput> extends LinesOptions {
  /** The schema of the document. It guards each path and value, and checks the document at the end. Default: none. */
  readonly schema?: S;
  /**
   * The components of a user interface. It guards the type and the properties of each element, and checks them at the
   * end. Default: none.
   */
  readonly catalogue?: Catalogue;
  /** The document before the first operation. Default: `{}`. */
  readonly initial?: JsonValue;
  /**
   * JSON Pointers of objects that are made when an operation needs them. Other operations whose parent is missing wait
   * for it. Default: none.
   */
  readonly create?: readonly string[];
}

/** How to read lines that change a document: the options that `patchLines()` shares with `fromA2ui()`. */
export interface LinesOptions extends Pick<
  JsonParserOptions,
  "append" | "coerce" | "locale" | "lookAhead" | "maxKeys" | "onCoerce" | "onTruncated"
> {
  /** Show the value of an operation while its line is still being written. Default: true. */
  readonly growing?: boolean;
  /** Repair the JSON of a line (docs/reference/repair.md), and the path and operation (`PatchLineRepair`). Default: true. */
  readonly repair?: boolean;
  /** Called with each repair. */
  readonly onRepair?: (repair: PatchLineRepair) => void;
  /**
   * Called with each operation that is not applied, and then the stream continues. Without it, the stream ends with an
   * `OutputParserError` for them, after all other operations.
   */
  readonly onLineError?: (error: PatchLineError) => void;
  /**
   * How `instructions` writes schemas: as JSON Schema, or as type definitions, which take fewer tokens
   * (docs/reference/prompts.md). Default: `json-schema`.
   */
  readonly instructions?: SchemaInstructions;
  /** The maximum depth of a path, and of a value. Default: 1,000. */
  readonly maxDepth?: number;
  /** The maximum length of the whole text, in UTF-16 code units. Default: 67,108,864. */
  readonly maxLength?: number;
  /** The maximum length of one operation, in UTF-16 code units. Default: 1,048,576. */
  readonly maxLineLength?: number;
  /** The maximum number of operations. More end the stream with an error. Default: 100,000. */
  readonly maxOperations?: number;
  /** How many operations may wait for their parents at a time. Default: 256. */
  readonly maxWaiting?: number;
  /**
   * How much work each character of the text pays for: copies, moves, tests, insertions and checks of values that are
   * already in the document. An operation that takes more is not applied. Default: 64 (docs/reference/threats.md#costs).
   */
  readonly maxWork?: number;
}

/**
 * A parser of patches, with several views of a stream.
 *
 * @typeParam Input the type of the document that the model writes
 * @typeParam Output the type of the checked document
 */
export interface PatchLinesParser<Input, Output> extends OutputParser<Output, PatchLineEvent> {
  /**
   * Yields the change of each operation, and of each part of it that a chunk has added. While the operation is still
   * being written, `growing` is true.
   */
  readonly stream: Operator<Chunk, PatchLineEvent>;
  /**
   * Yields a patch after each chunk that changed the document. The first one contains the whole document: applied in
   * order, the patches give each snapshot.
   */
  readonly patches: Operator<Chunk, readonly AnyPatchOperation[]>;
  /**
   * Yields an immutable snapshot after each chunk that changed the document. Unchanged parts stay the same objects.
   * Objects with more than 128 members yield fewer.
   */
  readonly snapshots: Operator<Chunk, DeepPartial<Input>>;
  /** Yields the checked document once, at the end. */
  readonly final: Operator<Chunk, Output>;
}

/**
 * Parses patches while a model writes them: JSON lines of RFC 6902 operations, in prose and fences, cut anywhere.
 *
 * ```json
 * {"op": "add", "path": "/title", "value": "Tea"}
 * {"op": "append", "path": "/title", "value": " for two"}
 * ```
 *
 * All operations of RFC 6902 and `append` (it extends a string) are read, one a line, with their members in any order.
 * The value of `add`, `replace` and `append` is applied while it is written. A string that replaces another one is
 * shown from the first character that differs.
 *
 * An operation whose parent does not exist waits for it. A line that is nearly JSON is repaired, and each repair is
 * reported (`onRepair`). An operation that cannot be applied is reported (`onLineError`), and what it had shown is
 * taken back by a patch. So no line is lost silently. A `test` that fails stops no other operation.
 *
 * A schema or a catalogue of components guards the path and the value of each operation while it is read. The guard
 * refuses what no later operation can make right. The document is checked at the end.
 *
 * @throws {TypeError} for options that it does not know
 *
 * @example
 * ```ts
 * import { from, patchLines, pipe } from "millrace";
 *
 * const model = [
 *   'Sure:\\n{"op":"add","path":"/title","value":"Te',
 *   'a"}\\n{"op":"add","path":"/steps","value":["Boil"]}\\n',
 *   '{"op":"add","path":"/steps/-","value":"Pour"}',
 * ];
 * for await (const patch of pipe(from(model), patchLines({ append: true }).patches)) console.log(JSON.stringify(patch));
 * ```
 *
 * ```text prints
 * [{"op":"replace","path":"","value":{}},{"op":"add","path":"/title","value":"Te"}]
 * [{"op":"append","path":"/title","value":"a"},{"op":"add","path":"/steps","value":["Boil"]}]
 * [{"op":"add","path":"/steps/1","value":"Pour"}]
 * ```
 */
export function patchLines(options?: PatchLinesOptions<never>): PatchLinesParser<JsonValue, JsonValue>;
export function patchLines<S extends SchemaInput>(
  options: PatchLinesOptions<S>,
): PatchLinesParser<InputOf<S>, OutputOf<S>>;
export function patchLines(options: PatchLinesOptions = {}): PatchLinesParser<JsonValue, unknown> {
  checkOptions("patchLines()", options, optionNames);
  const { schema: input, catalogue, create = [] } = options;
  const schemas: Schema<unknown>[] = [];
  if (input !== undefined) schemas.push(schemaOf(input));
  if (catalogue !== undefined) schemas.push(schemaOfCatalogue(catalogue));
  for (const pointer of create) parsePointer(pointer);
  const guard = schemas.length > 0 ? placeGuard(schemas) : undefined;
  const settings: PatchLinesSettings = {
    rules: {
      ...patchLinesRules(options),
      initial: options.initial ?? {},
      format: patchFormat(guard, create),
    },
    checks: schemas.toReversed(),
    expected: "an operation of RFC 6902",
  };
  return linesParser(settings, () => patchLinesInstructions(schemas, options.instructions));
}

/** The views of a text whose lines change a document. */
export function linesParser<Input, Output>(
  settings: PatchLinesSettings,
  writeInstructions: () => string,
): PatchLinesParser<Input, Output> {
  let instructions: string | undefined;
  return {
    get instructions() {
      return (instructions ??= writeInstructions());
    },
    parse: (output) => parseAll(settings, output) as Output,
    stream: patchLinesStage(settings, {
      show: (reader, emit) => reader.takeEvents().forEach(emit),
    }),
    patches: patchLinesStage(settings, {
      show(reader, emit) {
        const patch = reader.takeEvents().flatMap((event) => event.patch);
        if (patch.length > 0) emit(patch);
      },
    }),
    snapshots: patchLinesStage<DeepPartial<Input>>(settings, {
      show(reader, emit, characters) {
        if (characters > 0 && !reader.isSnapshotDue()) return;
        const changed = reader.takeEvents().some(({ patch }) => patch.length > 0);
        if (changed) emit(reader.snapshot() as DeepPartial<Input>);
      },
    }),
    final: patchLinesStage<Output>(settings, { show: (reader) => void reader.takeEvents() }, (value, emit) =>
      emit(value as Output),
    ),
  };
}

/** The rules that do not depend on the format of a line. */
export function patchLinesRules(options: LinesOptions): Omit<PatchLinesRules, "initial" | "format"> {
  const { growing = true, append = false, repair = true } = options;
  const { maxDepth = defaultMaxDepth, maxLength = defaultMaxLength, maxLineLength = 1024 * 1024 } = options;
  const { maxOperations = 100_000, maxWaiting = 256, maxWork = workPerCharacter, onRepair = noop } = options;
  const { coerce, locale, lookAhead, maxKeys, onCoerce, onLineError } = options;
  checkLocale(locale);
  checkInstructions(options.instructions);
  return {
    ...{ growing, append, onRepair, onLineError },
    keepTruncated: options.onTruncated === "keep",
    json: {
      ...withoutUndefined({ coerce, locale, lookAhead, maxKeys, onCoerce }),
      fast,
      ...(repair && { repair: lenient }),
      maxDepth: wholeNumber("maxDepth", maxDepth, 1),
      maxLength: wholeNumber("maxLineLength", maxLineLength, 1),
    },
    maxLength: wholeNumber("maxLength", maxLength, 1),
    maxOperations: wholeNumber("maxOperations", maxOperations, 1),
    maxWaiting: wholeNumber("maxWaiting", maxWaiting, 0),
    maxWork: wholeNumber("maxWork", maxWork, 1),
  };
}

function patchLinesInstructions(schemas: readonly Schema<unknown>[], form?: SchemaInstructions): string {
  const lines = [
    "Answer with JSON Patch operations (RFC 6902), one on each line, and nothing else: no prose, no Markdown fence.",
    'Write "op", then "path", then "value". Add a container before its members. For example:',
    '{"op":"add","path":"/title","value":"Tea"}',
    '{"op":"add","path":"/steps","value":[]}',
    '{"op":"add","path":"/steps/-","value":"Boil water"}',
  ];
  return lines.concat(schemas.map((each) => schemaInPrompt(each, "The document", form))).join("\n");
}

import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { JsonObject } from "../../json/value.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import type { Schema } from "../../schema/schema.js";
import { synchronous } from "../check.js";
import { checkLocale } from "../../schema/coerce/check-locale.js";
import { isCombined } from "../../schema/combined.js";
import {
  isStandardSchema,
  schemaOf,
  type InputOf,
  type OutputOf,
  type SchemaInput,
} from "../../schema/schema-of.js";
import type { Operator } from "../../stream/operator.js";
import { type Chunk, messageOfOutput, type Output, type OutputParser } from "../output-parser.js";
import { CallChecks, type CheckedCall, knownTools, type ToolTable } from "./tool-call-checks.js";
import {
  type OnCallCoercion,
  type OnCallRepair,
  selectedCalls,
  toolCallPart,
  type ToolCallPart,
} from "./tool-call-parts.js";
import { callStage, type CallView } from "./tool-call-stage.js";

/**
 * The part of a tool that the parser needs. `schema` is any schema that `schemaOf()` accepts, `parameters` a JSON
 * Schema.
 */
export interface CallableTool {
  readonly name: string;
  readonly schema?: SchemaInput;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whether a null stands for an absent argument, as the strict mode of providers requires. */
  readonly strict?: boolean | undefined;
}

/** The options of `toolCallsParser()`. */
export interface ToolCallsParserOptions {
  /**
   * The tools that the model may call, or the schemas of their arguments, whose titles are the names of the tools. Each
   * call is checked against its tool. Default: any tool, unchecked.
   */
  readonly tools?: readonly (CallableTool | SchemaInput)[];
  /** Read only the calls of this tool. Calls of other tools are not an error. Default: the calls of all tools. */
  readonly name?: string;
  /** The same, and without `returnId` only the arguments of the calls, as in LangChain. */
  readonly keyName?: string;
  /** Read only the first call, and return it without an array. Default: false. */
  readonly firstOnly?: boolean;
  /** Include the `id` of each call, which the tool message needs. Default: false. */
  readonly returnId?: boolean;
  /**
   * Called with each repair in the arguments of a call, when the call is complete: a raw line break or tab in a string, or
   * any repair of a call that was written as text. The `offset` counts from the start of the arguments, or of the JSON of
   * such a call.
   */
  readonly onRepair?: OnCallRepair;
  /**
   * Read the arguments of complete calls as the schema of the tool expects them, where it does not allow them as
   * written (docs/reference/coercion.md). Default: true.
   */
  readonly coerce?: boolean;
  /**
   * The locale of numbers in strings, a BCP 47 tag such as `"de"`. It decides texts that can be read in two ways, such
   * as `"1.234"`. Default: none, and such a text is refused.
   */
  readonly locale?: string;
  /** Called with each coercion in the arguments of a call, when the call is complete. */
  readonly onCoerce?: OnCallCoercion;
}

/** A checked call, or its arguments (`keyName`). They have the transforms and defaults of the tool's schema applied. */
export type ParsedToolCall<Options extends ToolCallsParserOptions> = Shown<Options, CallIn<Options>>;

/** A call while the model writes it. `complete` means that its arguments have ended; they are checked at the end. */
export type PartialToolCall<Options extends ToolCallsParserOptions> = Shown<Options, PartIn<Options>>;

/** An array of calls, or with `firstOnly` one call. */
export type ToolCallsOf<Options extends ToolCallsParserOptions, Call> = Options extends { firstOnly: true }
  ? Call | undefined
  : Call[];

/** A parser of tool calls. */
export interface ToolCallsParser<Options extends ToolCallsParserOptions> extends OutputParser<
  ToolCallsOf<Options, ParsedToolCall<Options>>,
  Readonly<ToolCallsOf<Options, PartialToolCall<Options>>>
> {
  /**
   * Yields all calls so far, with their partial arguments, after each chunk that changed one and at the end. With
   * `firstOnly` it yields the first call.
   */
  readonly stream: Operator<Chunk, Readonly<ToolCallsOf<Options, PartialToolCall<Options>>>>;
  /** Yields each checked call once, when the model has written it. Its tool can start while the model continues. */
  readonly calls: Operator<Chunk, ParsedToolCall<Options>>;
  /** Yields the checked calls once, at the end. */
  readonly final: Operator<Chunk, ToolCallsOf<Options, ParsedToolCall<Options>>>;
}

/**
 * Parses the tool calls of a model. `.stream` yields all calls with their partial arguments after each chunk that
 * changed one. Each character is parsed once. Chunks of plain text have no calls.
 *
 * Every view checks the calls at the end. The stream ends with an `OutputParserError`, which carries the calls so far,
 * if a tool does not exist (`unknown_tool`), or its arguments are not a JSON object (`invalid`), do not satisfy the
 * tool's schema (`schema`) or are incomplete (`truncated`; the message says if the cause was the token limit). Two or
 * more errors are collected in one error with the code `several`.
 *
 * @throws {TypeError} if none of the `tools` has the name `name`, or if one is a schema without a title
 * @throws {RangeError} if `locale` is not a BCP 47 tag
 *
 * @example
 * ```ts
 * import { pipe, toolCallsParser } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const weather = { name: "weather", schema: z.object({ city: z.string() }) };
 * const model = scriptedModel([
 *   { content: [{ type: "tool_call_chunk", id: "1", name: "weather", args: '{"city": "Os' }] },
 *   { content: [{ type: "tool_call_chunk", args: 'lo"}' }] },
 * ]);
 * const parser = toolCallsParser({ tools: [weather], firstOnly: true });
 * for await (const call of pipe(model.stream("How warm is it?"), parser.stream)) {
 *   console.log(call?.args, call?.complete); // { city: "Os" } false, { city: "Oslo" } false, { city: "Oslo" } true
 * }
 * ```
 */
export function toolCallsParser<const Options extends ToolCallsParserOptions = ToolCallsParserOptions>(
  options: Options = {} as Options,
): ToolCallsParser<Options> {
  checkOptions("toolCallsParser()", options, optionNames, hints);
  const { tools, keyName, name = keyName, firstOnly = false, returnId = false } = options;
  const { coerce, locale, onCoerce, onRepair } = options;
  checkLocale(locale);
  const table = tools && toolTable(tools);
  if (name !== undefined && table !== undefined && !table.has(name)) {
    throw new TypeError(`Expected the name of a tool, but got "${name}": ${knownTools([...table.keys()])}.`);
  }
  const selection = { name, firstOnly, returnId };
  const checks = (): CallChecks => new CallChecks(table, selection, { coerce, locale, onCoerce, onRepair });
  const view = <Out>(callbacks: CallView<Out>): Operator<Chunk, Out> =>
    callStage(selection, checks, callbacks);
  // The checks make sure that the values have these types.
  const shown = (call: CheckedCall | ToolCallPart): unknown =>
    keyName === undefined || returnId ? call : call.args;
  const result = (calls: readonly (CheckedCall | ToolCallPart)[]): never => {
    const [first] = calls;
    return (firstOnly ? first && shown(first) : calls.map(shown)) as never;
  };
  return {
    instructions: "Answer by calling a tool, with all of its required arguments, and no others.",
    parse(output) {
      const message = messageOfOutput(output) ?? noCallsIn(output);
      const calls = checks().all(message);
      const partsOf = () => selectedCalls(message, selection).map((block) => toolCallPart(block, selection));
      return result(synchronous(calls, () => ({ value: partsOf() }), "The schema of a tool"));
    },
    stream: view({ onChange: (parts, emit) => emit(result(parts)) }),
    calls: view({ onCall: (call, emit) => emit(shown(call) as never) }),
    final: view({ onEnd: (calls, emit) => emit(result(calls)) }),
  };
}

// prettier-ignore
const optionNames = {
  tools: true, name: true, keyName: true, firstOnly: true, returnId: true, coerce: true, locale: true, onCoerce: true,
  onRepair: true,
} satisfies OptionNames<ToolCallsParserOptions>;

/** The names of LangChain. */
const hints = {
  returnSingle: 'Write "firstOnly".',
  schema: "Write tools: [{ name, schema }].",
};

/** A text has no calls. A generation of nothing but text is a mistake: calls that are in its text are not read here. */
function noCallsIn(output: Output): AssistantMessage {
  if (typeof output === "string") return { role: "assistant", content: [] };
  throw new TypeError(
    "toolCallsParser() reads the calls of a message, but this generation has only a text. Pass the message of the model, or read calls in a text with textToolCalls().",
  );
}

/** @throws {TypeError} if `tools` is no list, or has a schema without a title */
function toolTable(tools: readonly (CallableTool | SchemaInput)[]): ToolTable {
  if (!Array.isArray(tools)) {
    throw new TypeError("tools must be a list. Write tools: [{ name, schema }].");
  }
  return new Map(
    tools.map((tool: CallableTool | SchemaInput, index) => {
      if (isTool(tool)) return [tool.name, schemaOfTool(tool)];
      const schema = schemaOf(tool);
      const { title } = schema.jsonSchema;
      if (typeof title === "string" && title !== "") return [title, schema];
      throw new TypeError(
        `tools[${index}] is a schema without a title, so no call can be one of it. Write tools: [{ name, schema }], or give it a title.`,
      );
    }),
  );
}

function isTool(input: CallableTool | SchemaInput): input is CallableTool {
  if (isStandardSchema(input) || isCombined(input)) return false;
  return typeof input.name === "string" && !("type" in input);
}

function schemaOfTool({ schema, parameters, strict }: CallableTool): Schema<unknown> | undefined {
  const input = schema ?? parameters;
  if (input === undefined) return undefined;
  return strict === true ? withNullAsAbsent(schemaOf(input), false) : schemaOf(input);
}

type AnyStandard = Extract<SchemaInput, { readonly "~standard": unknown }>;

type ToolIn<Options extends ToolCallsParserOptions> = Options extends { tools: readonly (infer Tool)[] }
  ? Options extends { name: infer Name } | { keyName: infer Name }
    ? Extract<Tool, { name: Name } | AnyStandard>
    : Tool
  : CallableTool;

type CallIn<Options extends ToolCallsParserOptions> = OneCall<ToolIn<Options>>;
type OneCall<Tool> = Tool extends AnyStandard
  ? { readonly name: string; readonly args: OutputOf<Tool> }
  : Tool extends { name: infer Name; schema: infer S extends SchemaInput }
    ? { readonly name: Name; readonly args: OutputOf<S> }
    : Tool extends { name: infer Name }
      ? { readonly name: Name; readonly args: JsonObject }
      : never;

type PartIn<Options extends ToolCallsParserOptions> = OnePart<ToolIn<Options>>;
type OnePart<Tool> = Tool extends AnyStandard
  ? { readonly name: string; readonly args: DeepPartial<InputOf<Tool>>; readonly complete: boolean }
  : Tool extends { name: infer Name; schema: infer S extends SchemaInput }
    ? { readonly name: Name; readonly args: DeepPartial<InputOf<S>>; readonly complete: boolean }
    : Tool extends { name: infer Name }
      ? { readonly name: Name; readonly args: DeepPartial<JsonObject>; readonly complete: boolean }
      : never;

/** With `keyName` and without ids, only the arguments. */
type Shown<Options extends ToolCallsParserOptions, Call> = Options extends { keyName: string }
  ? Options extends { returnId: true }
    ? WithId<Options, Call>
    : Call extends { readonly args: infer Args }
      ? Args
      : never
  : WithId<Options, Call>;

type WithId<Options extends ToolCallsParserOptions, Call> = Options extends { returnId: true }
  ? Call & { readonly id: string }
  : Call;

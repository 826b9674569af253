import type { JsonObject } from "../../json/value.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "../../schema/schema-of.js";
import type { Operator } from "../../stream/operator.js";
import { OutputParserError } from "../errors.js";
import { type Chunk, type OutputParser, messageOfOutput } from "../output-parser.js";
import { CallChecks, type ToolTable } from "./tool-call-checks.js";
import { partOf, selectedCalls } from "./tool-call-parts.js";
import { callStage, type CallView } from "./tool-call-stage.js";

/** A tool, as far as its calls are read: `schema` is anything that `schemaOf()` takes, `parameters` a JSON Schema. */
export interface CallableTool {
  readonly name: string;
  readonly schema?: SchemaInput;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The options of `toolCallsParser()`. */
export interface ToolCallsParserOptions {
  /** What the model may call. Each call is checked against its tool. Default: anything, unchecked. */
  readonly tools?: readonly CallableTool[];
  /** Only the calls of this tool are read; those of others are no error. Default: of all. */
  readonly name?: string;
  /** Only the first call is read, and given by itself. Default: false. */
  readonly firstOnly?: boolean;
  /** Each call comes with its `id`, which its result must name. Default: false. */
  readonly returnId?: boolean;
}

/** A call that has passed the check: its arguments as the tool's schema makes them. */
export type ParsedToolCall<Options extends ToolCallsParserOptions> = WithId<Options, CallIn<Options>>;

/** A call while the model writes it. `complete` says that its arguments have ended; they are checked at the end. */
export type PartialToolCall<Options extends ToolCallsParserOptions> = WithId<Options, PartIn<Options>>;

/** All calls of an output, or its first. */
export type ToolCallsOf<Options extends ToolCallsParserOptions, Call> = Options extends { firstOnly: true }
  ? Call | undefined
  : Call[];

/** The parser of tool calls. */
export interface ToolCallsParser<Options extends ToolCallsParserOptions> extends OutputParser<
  ToolCallsOf<Options, ParsedToolCall<Options>>,
  ToolCallsOf<Options, PartialToolCall<Options>>
> {
  /** Each call once, as soon as the model has written it, checked: in time to start its tool while the model goes on. */
  readonly calls: Operator<Chunk, ParsedToolCall<Options>>;
  /** The finished, checked calls, once, at the end. */
  readonly final: Operator<Chunk, ToolCallsOf<Options, ParsedToolCall<Options>>>;
}

/**
 * Reads the calls of tools that a model makes. `.stream` gives, after each chunk that changed one, all of them with their
 * arguments as they grow, each character parsed once; a text among the chunks has no calls.
 *
 * The end of every view is checked. A tool that there is not (`unknown_tool`), arguments that are no JSON object
 * (`invalid`), that do not satisfy the schema of their tool (`schema`), or that are cut (`truncated`, which says when it was the
 * token limit) end the stream with an `OutputParserError` that carries the calls as far as they are known. More than one
 * of these are collected into one, with the code `several`.
 *
 * @throws {TypeError} if `name` is the name of none of the `tools`
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
  const { tools, name, firstOnly = false, returnId = false } = options;
  const table: ToolTable | undefined = tools && new Map(tools.map((tool) => [tool.name, schemaOfTool(tool)]));
  if (name !== undefined && table?.has(name) === false) {
    throw new TypeError(
      `toolCallsParser() was asked for the calls of "${name}", which is none of the tools.`,
    );
  }
  const selection = { name, firstOnly, returnId };
  const checks = (): CallChecks => new CallChecks(table, selection);
  const view = <Out>(callbacks: CallView<Out>): Operator<Chunk, Out> =>
    callStage(selection, checks, callbacks);
  // That the values have these types is what the checks are for.
  const result = (calls: readonly unknown[]): never => (firstOnly ? calls[0] : calls) as never;
  return {
    instructions: "Answer by calling a tool, with all of its required arguments, and no others.",
    parse(output) {
      const message = messageOfOutput(output) ?? noCalls;
      const calls = checks().all(message);
      if (!(calls instanceof Promise)) return result(calls);
      calls.catch(() => {}); // nobody waits for it
      throw new OutputParserError(
        "async_schema",
        "The schema of a tool checks asynchronously, which parse() cannot wait for. Use .final on a stream of the output.",
        { value: selectedCalls(message, selection).map((block) => partOf(block, selection)) },
      );
    },
    stream: view({ onChange: (parts, emit) => emit(result(parts)) }),
    calls: view({ onCall: (call, emit) => emit(call as never) }),
    final: view({ onEnd: (calls, emit) => emit(result(calls)) }),
  };
}

const noCalls: AssistantMessage = { role: "assistant", content: [] };

function schemaOfTool({ schema, parameters }: CallableTool): ReturnType<typeof schemaOf> | undefined {
  const given = schema ?? parameters;
  return given === undefined ? undefined : schemaOf(given);
}

type ToolIn<Options extends ToolCallsParserOptions> = Options extends { tools: readonly (infer Tool)[] }
  ? Options extends { name: infer Name }
    ? Extract<Tool, { name: Name }>
    : Tool
  : CallableTool;

type CallIn<Options extends ToolCallsParserOptions> = OneCall<ToolIn<Options>>;
type OneCall<Tool> = Tool extends { name: infer Name; schema: infer S extends SchemaInput }
  ? { readonly name: Name; readonly args: OutputOf<S> }
  : Tool extends { name: infer Name }
    ? { readonly name: Name; readonly args: JsonObject }
    : never;

type PartIn<Options extends ToolCallsParserOptions> = OnePart<ToolIn<Options>>;
type OnePart<Tool> = Tool extends { name: infer Name; schema: infer S extends SchemaInput }
  ? { readonly name: Name; readonly args: DeepPartial<InputOf<S>>; readonly complete: boolean }
  : Tool extends { name: infer Name }
    ? { readonly name: Name; readonly args: JsonObject; readonly complete: boolean }
    : never;

type WithId<Options extends ToolCallsParserOptions, Call> = Options extends { returnId: true }
  ? Call & { readonly id: string }
  : Call;

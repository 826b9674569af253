import type { Metadata } from "../../messages/blocks/metadata.js";
import { milliseconds, wholeNumber } from "../../stream/numbers.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool, Injections } from "./any-tool.js";
import type { ErrorHandling } from "../run/error-handling.js";
import { ToolError } from "../errors.js";
import { toolInput } from "./input.js";
import type { ToolRunOptions, ToolRuntime } from "../run/runtime.js";
import { Slots } from "./slots.js";
import { toolStage } from "../run/tool-stage.js";
import type { Callable, InputArgsOf, ResultOf, RunArgs } from "./tool-types.js";

/** A tool. It is an operator too: of arguments as a model would write them, to results. */
export interface Tool<Args, Result = unknown, Context = unknown> extends AnyTool {
  /**
   * The result for each input, one after the other. Errors are thrown, none is turned into a text for a model; progress
   * is not shown.
   */
  (source: AsyncIterable<Args>, options?: ToolRunOptions<Context>): AsyncIterable<Result>;
}

/** What `tool()` makes of its options. */
export type ToolOf<Name extends string, S, Inject, Result, Context> = Callable<Name, S, Inject> &
  Tool<InputArgsOf<S, Inject>, Result, Context>;

/** The options of `tool()`. */
export interface ToolOptions<
  Name extends string,
  S extends SchemaInput | undefined,
  Inject,
  Context,
  Returned,
> {
  /** Letters, digits, `_` and `-`, at most 64 of them: what all providers take. */
  readonly name: Name;
  /** What it is for, and when to use it: all that the model knows of it beside the schema. */
  readonly description?: string;
  /**
   * What `run` takes: an object as Zod 4, any other Standard Schema or JSON Schema. Default: one text, which the model
   * writes as `{"input": "…"}`; a schema of a string does the same, and can describe it.
   */
  readonly schema?: S;
  /**
   * Arguments that the model never sees, and can never give: each is filled by its function, in every run. If the schema
   * speaks of it, the value is checked with the others.
   */
  readonly inject?: Inject & Injections<Context>;
  /**
   * Does the work. Gives the result, a promise of it, or an async iterable (an async generator): what that yields is
   * progress, what it returns is the result.
   *
   * The model is told a string as it is, content blocks as they are, nothing for `undefined`, and all else as JSON. A
   * whole tool message is taken as well: its status, its metadata and its artifact are kept.
   */
  readonly run: (args: RunArgs<S, Inject>, runtime: ToolRuntime<Context>) => Returned;
  /** An error of the run. Default: `true`, its message without stacks and paths; that of a `ToolError` as it is. */
  readonly onError?: ErrorHandling<unknown>;
  /** Arguments that do not satisfy the schema. Default: `true`, what is wrong with them. */
  readonly onInvalidInput?: ErrorHandling<ToolError>;
  /** The agent ends with the result of this tool, without asking the model again. Default: false. */
  readonly returnDirect?: boolean;
  /** With `content_and_artifact`, `run` gives `[content, artifact]`: the model never sees the artifact. */
  readonly output?: "content" | "content_and_artifact";
  /** What a provider knows of tools besides, under its own keys. */
  readonly extras?: Metadata;
  /** Whether the provider holds the model to the schema. */
  readonly strict?: boolean;
  /** The longest run, in milliseconds. Waiting for a slot or for the consumer is no part of it. Default: none. */
  readonly timeout?: number;
  /** The most runs of this tool at once, over all agents. The others wait, first come, first served. Default: no limit. */
  readonly concurrency?: number;
}

/**
 * Makes a tool: what a model may call, and what is done then.
 *
 * @throws {ToolError} `invalid_tool` for a name that providers do not take, and for a schema that is of no object
 * @throws {RangeError} if `timeout` or `concurrency` is out of range
 *
 * @example
 * ```ts
 * import { invoke, tool } from "millrace";
 * import { z } from "zod";
 *
 * const weather = tool({
 *   name: "weather",
 *   description: "How warm it is in a city.",
 *   schema: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
 *   run: ({ city, unit }) => `${city}: 4 °${unit}`,
 * });
 * console.log(await invoke(weather, { city: "Oslo" })); // "Oslo: 4 °C"
 * ```
 */
export function tool<
  const Name extends string,
  const S extends SchemaInput | undefined = undefined,
  const Inject = unknown,
  Context = unknown,
  Returned = unknown,
>(
  options: ToolOptions<Name, S, Inject, Context, Returned>,
): ToolOf<Name, S, Inject, ResultOf<Returned>, Context> {
  const { name, description, schema, strict, extras, timeout, concurrency } = options;
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new ToolError(
      "invalid_tool",
      `A tool must have a name of 1 to 64 letters, digits, "_" and "-", but has ${JSON.stringify(name)}.`,
      { tool: name },
    );
  }
  const inject: Injections<never> = options.inject ?? {};
  const fields: AnyTool = {
    name,
    ...(description !== undefined && { description }),
    ...toolInput(name, schema, Object.keys(inject)),
    ...(strict !== undefined && { strict }),
    ...(extras !== undefined && { extras }),
    returnDirect: options.returnDirect ?? false,
    output: options.output ?? "content",
    ...(timeout !== undefined && { timeout: milliseconds(`timeout of the tool "${name}"`, timeout) }),
    ...(concurrency !== undefined && {
      concurrency,
      slots: new Slots(wholeNumber(`concurrency of the tool "${name}"`, concurrency, 1)),
    }),
    onError: options.onError ?? true,
    onInvalidInput: options.onInvalidInput ?? true,
    inject,
    run: options.run,
  };
  const operator = (
    source: AsyncIterable<unknown>,
    runOptions?: ToolRunOptions<Context>,
  ): AsyncIterable<unknown> => toolStage(fields, source, runOptions);
  // Not by assignment: the name of a function can only be defined.
  return Object.defineProperties(operator, Object.getOwnPropertyDescriptors(fields)) as never;
}

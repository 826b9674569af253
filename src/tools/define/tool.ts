import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { quoted } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { milliseconds, wholeNumber } from "../../text/check-number.js";
import { last } from "../../stream/collect.js";
import { from } from "../../stream/sources/from.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool, ErrorHandling, Injections, ToolEffects } from "../run/any-tool.js";
import { ToolError } from "../errors.js";
import { toolInput } from "./input.js";
import type { ToolRunOptions, ToolRuntime } from "../run/runtime.js";
import { RunSlots } from "../run/run-slots.js";
import { toolStage } from "../run/tool-stage.js";
import type { Callable, InputArgsOf, ResultOf, RunArgs } from "./tool-types.js";
import { withoutUndefined } from "../../json/value.js";

/** A tool. It is also an operator: it maps arguments, as a model would write them, to results. */
export interface Tool<Args, Result = unknown, Context = unknown> extends AnyTool {
  /**
   * Yields the result for each input, one run after another. Errors are thrown instead of turned into text for a model.
   * Progress is dropped.
   */
  (source: AsyncIterable<Args>, options?: ToolRunOptions<Context>): AsyncIterable<Result>;
  /** Runs the tool once. Rejects with the error of the run. */
  invoke(input: Args, options?: ToolRunOptions<Context>): Promise<Result>;
}

/** The type that `tool()` returns for its options. */
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
  /** 1 to 64 letters, digits, `_` and `-`. All providers accept such names. Default: the name of the function `run` */
  readonly name?: Name;
  /** Tells the model about the purpose of the tool and when to use it. */
  readonly description?: string;
  /**
   * The schema of the arguments: an object in Zod 4, another Standard Schema or JSON Schema. Default: one string, which
   * the model writes as `{"input": "…"}`. Use a string schema to add a description to it.
   */
  readonly schema?: S;
  /**
   * Arguments that the model neither sees nor sets. Each run calls the function of each argument for its value. If the
   * schema has the argument, the value is validated with the others.
   */
  readonly inject?: Inject & Injections<Context>;
  /**
   * Does the work. Returns the result, a promise of it, or an async iterable such as an async generator: values that it
   * yields are progress, and the value that it returns is the result.
   *
   * The model gets strings and content blocks unchanged, an empty message for `undefined`, and every other value as
   * JSON. `run` may also return a whole tool message, whose status, metadata and artifact are kept.
   */
  readonly run: (args: RunArgs<S, Inject>, runtime: ToolRuntime<Context>) => Returned;
  /**
   * How to handle an error of the run. Default: `true`, which sends the message without stack and paths, and that of a
   * `ToolError` unchanged.
   */
  readonly onError?: ErrorHandling<unknown>;
  /** How to handle arguments that do not satisfy the schema. Default: `true`, which sends the issues to the model. */
  readonly onInvalidInput?: ErrorHandling<ToolError>;
  /** Whether the agent finishes with the result of this tool instead of calling the model again. Default: false. */
  readonly returnDirect?: boolean;
  /**
   * Whether the tool may run any number of times for one call, because it changes nothing. A durable run starts it
   * while the model is still writing, as other runs do. Other tools wait until the message of the model is recorded.
   * Default: false.
   */
  readonly repeatable?: boolean;
  /** What a run may change, for policies such as `isDestructive`. */
  readonly effects?: ToolEffects;
  /**
   * With `content_and_artifact`, `run` returns `[content, artifact]`. The model does not see the artifact. Default:
   * `content`.
   */
  readonly output?: "content" | "content_and_artifact";
  /** Provider-specific fields of the tool, under the keys of each provider. */
  readonly extras?: Metadata;
  /**
   * Whether the provider enforces the schema. In the strict mode of some providers, models write null for absent
   * arguments: `run` gets the default of such an argument, or nothing.
   */
  readonly strict?: boolean;
  /** The time limit of a run in milliseconds. Waiting for a slot or for the consumer does not count. Default: none. */
  readonly timeout?: number;
  /** The maximum number of simultaneous runs of this tool in all agents. Others wait in line. Default: no limit. */
  readonly concurrency?: number;
}

// prettier-ignore
const optionNames = {
  name: true, description: true, schema: true, inject: true, run: true, onError: true, onInvalidInput: true,
  returnDirect: true, repeatable: true, effects: true, output: true, extras: true, strict: true, timeout: true, concurrency: true,
} satisfies OptionNames<ToolOptions<string, undefined, unknown, unknown, unknown>>;

/** The names of other libraries. */
const hints = {
  func: 'Write "run".',
  execute: 'Write "run".',
  parameters: 'Write "schema".',
  inputSchema: 'Write "schema".',
  responseFormat: 'Write "output".',
};

/**
 * Makes a tool: a function that a model may call.
 *
 * @throws {ToolError} `invalid_tool` if providers do not accept the name, or if the schema is not that of one object or
 *   a string
 * @throws {RangeError} if `timeout` or `concurrency` is out of range
 *
 * @example
 * ```ts
 * import { tool } from "millrace";
 * import { z } from "zod";
 *
 * const weather = tool({
 *   name: "weather",
 *   description: "How warm it is in a city.",
 *   schema: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
 *   run: ({ city, unit }) => `${city}: 4 °${unit}`,
 * });
 * console.log(await weather.invoke({ city: "Oslo" })); // "Oslo: 4 °C"
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
  if (typeof options === "function") {
    throw new TypeError(
      "tool() expects an object of options. Write tool({ name, description, schema, run }).",
    );
  }
  checkOptions("tool()", options, optionNames, hints);
  const { run, description, schema, strict, extras, effects, timeout, concurrency } = options;
  if (typeof run !== "function") {
    const which = options.name === undefined ? "A tool" : `The tool ${quoted(options.name, 80)}`;
    throw new TypeError(`${which} has no function. Write it as the option "run".`);
  }
  // A function that is written as the option is called "run".
  const name = options.name ?? (run.name === "run" ? undefined : run.name);
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    throw new ToolError(
      "invalid_tool",
      `The name of a tool must be 1 to 64 letters, digits, "_" and "-", but is ${typeof name === "string" ? quoted(name, 80) : excerpt(name, 80)}.`,
      { tool: name },
    );
  }
  const inject: Injections<never> = options.inject ?? {};
  const fields: AnyTool = {
    name,
    ...toolInput(name, schema, Object.keys(inject)),
    ...withoutUndefined({ description, strict, extras, effects }),
    returnDirect: options.returnDirect ?? false,
    repeatable: options.repeatable ?? false,
    output: options.output ?? "content",
    ...(timeout !== undefined && { timeout: milliseconds(`timeout of the tool "${name}"`, timeout) }),
    ...(concurrency !== undefined && {
      concurrency,
      slots: new RunSlots(wholeNumber(`concurrency of the tool "${name}"`, concurrency, 1)),
    }),
    onError: options.onError ?? true,
    onInvalidInput: options.onInvalidInput ?? true,
    inject,
    run,
  };
  const operator = (
    source: AsyncIterable<unknown>,
    runOptions?: ToolRunOptions<Context>,
  ): AsyncIterable<unknown> => toolStage(fields, source, runOptions);
  const invoke = (input: unknown, runOptions?: ToolRunOptions<Context>): Promise<unknown> =>
    last(operator(from([input]), runOptions));
  // `Object.assign()` would throw: the name of a function is read-only and can only be redefined.
  return Object.defineProperties(operator, Object.getOwnPropertyDescriptors({ ...fields, invoke })) as never;
}

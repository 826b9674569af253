import type { JsonObject } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import type { ToolError } from "../errors.js";
import type { ToolInvocation, ToolRuntime } from "./runtime.js";
import type { RunSlots } from "./run-slots.js";

/**
 * A tool of any type, as lists of tools hold it. Its fields are plain, so a copy with changed fields is a tool too:
 * `{ ...weather, description: "…" }`.
 */
export interface AnyTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments that the model writes, without injected ones. */
  readonly parameters: JsonObject;
  /** The schema of the arguments that the model writes. Absent if only `parameters` describes them. */
  readonly schema?: SchemaInput;
  /**
   * Whether the provider enforces the schema. Then a null for an absent argument is accepted, which strict modes
   * require.
   */
  readonly strict?: boolean | undefined;
  /** Provider-specific fields of the tool, under the keys of each provider. */
  readonly extras?: Metadata | undefined;
  /** For a tool that the provider runs: the tool in the form of each provider, by the provider's name. */
  readonly forms?: Readonly<Record<string, JsonObject>> | undefined;
  /** Whether the agent finishes with the result of this tool instead of calling the model again. */
  readonly returnDirect: boolean;
  /** Whether a durable run may run the tool any number of times for one call. */
  readonly repeatable?: boolean;
  /** What a run may change. Absent if nothing is known. */
  readonly effects?: ToolEffects | undefined;
  /** Whether `run` returns the content alone or `[content, artifact]`. */
  readonly output: "content" | "content_and_artifact";
  /** The time limit of a run in milliseconds. */
  readonly timeout?: number | undefined;
  /** The maximum number of simultaneous runs in all agents. */
  readonly concurrency?: number | undefined;

  readonly onError: ErrorHandling<unknown>;
  readonly onInvalidInput: ErrorHandling<ToolError>;
  readonly inject: Injections<never>;
  /**
   * Validates the arguments of the model together with the injected ones, and returns the arguments for `run`.
   *
   * @param strict whether a null stands for an absent argument, as the strict mode of providers requires
   * @throws {ToolError} `invalid_input`, `injection`. Rejects with them if the schema is asynchronous
   */
  readonly check: (
    args: JsonObject,
    injected: Readonly<Record<string, unknown>>,
    strict?: boolean,
  ) => unknown;
  readonly run: (args: never, runtime: ToolRuntime<never>) => unknown;
  /**
   * How an agent runs the tool, inside all middleware: gets a `ToolRun` and yields items of the type `ToolOutcome`.
   * Such a tool can pause, and is not one step of a durable run. Default: `runTool()` with `run`
   */
  readonly outcomes?: (run: never) => AsyncIterable<unknown>;
  readonly slots?: RunSlots | undefined;
}

/** What a run of a tool may change, for policies such as `humanApproval({ tools: isDestructive })`. */
export interface ToolEffects {
  /** Whether it changes nothing. */
  readonly readOnly?: boolean | undefined;
  /** Whether it may delete or overwrite something. */
  readonly destructive?: boolean | undefined;
  /** Whether another run with the same arguments changes nothing more. */
  readonly idempotent?: boolean | undefined;
  /** Whether it reaches things outside the program that it does not know, such as the web. */
  readonly openWorld?: boolean | undefined;
}

/** Maps the name of an argument to the function that returns its value. */
export type Injections<Context> = Readonly<Record<string, (runtime: ToolRuntime<Context>) => unknown>>;

/**
 * How the errors of a tool are handled:
 *
 * - `false`: the error is thrown and ends the run;
 * - `true`: the model gets the message of the error, as far as it is safe to show;
 * - a string: the model gets this text;
 * - a function: the model gets the text that it returns or resolves to. An error that it throws ends the run.
 */
export type ErrorHandling<Failure> =
  | boolean
  | string
  | ((error: Failure, call: ToolInvocation) => string | PromiseLike<string>);

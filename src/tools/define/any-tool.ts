import type { JsonObject } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import type { ErrorHandling } from "../run/error-handling.js";
import type { ToolError } from "../errors.js";
import type { ToolRuntime } from "../run/runtime.js";
import type { Slots } from "./slots.js";

/**
 * A tool, whatever its types: what a list of tools holds, and what runs one. Plain fields, so that a copy with other ones
 * is a tool as well (`{ ...weather, description: "…" }`).
 */
export interface AnyTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments as the model sees them: without those that are injected. */
  readonly parameters: JsonObject;
  /** What checks the arguments as the model writes them. Absent where `parameters` alone says it. */
  readonly schema?: SchemaInput;
  /** The provider holds the model to the schema. */
  readonly strict?: boolean | undefined;
  /** What a provider knows of tools besides, under its own keys. */
  readonly extras?: Metadata | undefined;
  /** The agent ends with the result of this tool, without asking the model again. */
  readonly returnDirect: boolean;
  /** Whether a run gives the content alone, or `[content, artifact]`. */
  readonly output: "content" | "content_and_artifact";
  /** The longest run, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The most runs at once, over all agents. */
  readonly concurrency?: number | undefined;

  readonly onError: ErrorHandling<unknown>;
  readonly onInvalidInput: ErrorHandling<ToolError>;
  readonly inject: Injections<never>;
  /**
   * The arguments for `run`: what the model wrote and what was injected, as the schema makes them of both.
   *
   * @throws {ToolError} `invalid_input`, `injection`; asynchronously if the schema is asynchronous
   */
  readonly check: (args: JsonObject, injected: Readonly<Record<string, unknown>>) => unknown;
  readonly run: (args: never, runtime: ToolRuntime<never>) => unknown;
  readonly slots?: Slots | undefined;
}

/** By the name of an argument, where its value comes from. */
export type Injections<Context> = Readonly<Record<string, (runtime: ToolRuntime<Context>) => unknown>>;

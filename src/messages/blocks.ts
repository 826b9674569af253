import type { JsonObject, JsonValue } from "../json/value.js";

/**
 * One part of a message. The `type` values, and the fields of each, are those that the standard content blocks share
 * across providers.
 *
 * The first three are also what a model streams: there `index` says which block of the message the delta continues.
 * In a message the place in the array says it, and `index` is absent.
 */
export type ContentBlock =
  | TextBlock
  | ReasoningBlock
  | ToolCallChunkBlock
  | ToolCallBlock
  | InvalidToolCallBlock
  | ImageBlock
  | NonStandardBlock;

/** Text that is meant to be read. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  readonly index?: number;
}

/** What the model thought before it answered, as far as the provider shows it. */
export interface ReasoningBlock {
  readonly type: "reasoning";
  readonly reasoning: string;
  readonly index?: number;
}

/**
 * A tool call that is still being written. In a `MessageChunk`, `name` and `args` are what the delta adds; in a
 * message, what there is so far.
 */
export interface ToolCallChunkBlock {
  readonly type: "tool_call_chunk";
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  /** JSON text, cut anywhere. */
  readonly args?: string;
  /**
   * What `args` says so far, parsed: only in a message. A partial value is for showing, not for running the tool: it
   * may be cut anywhere, also where it happens to look whole.
   */
  readonly snapshot?: JsonValue;
}

/** A tool call whose arguments are complete. */
export interface ToolCallBlock {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** A tool call that cannot be run. Nothing of what the model wrote is lost. */
export interface InvalidToolCallBlock {
  readonly type: "invalid_tool_call";
  readonly id: string;
  readonly name?: string;
  /** The arguments as the model wrote them. */
  readonly args: string;
  /** A sentence on what is wrong with them, fit to be sent back to the model. */
  readonly error: string;
}

/** An image by `url` (a `data:` URL too), or by `data` in base64 with its `mimeType`. */
export interface ImageBlock {
  readonly type: "image";
  readonly url?: string;
  readonly data?: string;
  /** Like `image/png`. Needed with `data`. */
  readonly mimeType?: string;
  /** How closely the model looks at it. */
  readonly detail?: "auto" | "low" | "high";
}

/** A part that only one provider knows, exactly as that provider writes it. */
export interface NonStandardBlock {
  readonly type: "non_standard";
  readonly value: JsonValue;
}

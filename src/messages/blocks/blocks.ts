import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Annotation } from "./annotations.js";
import type { AudioBlock, FileBlock, ImageBlock, PlainTextBlock, VideoBlock } from "./media-blocks.js";
import type { BlockBase } from "./metadata.js";

/**
 * One part of a message. The `type` values, and the fields of each, are those that the standard content blocks share
 * across providers.
 *
 * Those of `DeltaBlock` are also what a model streams: there `index` says which block of the message the delta
 * continues. In a message the place in the array says it, and `index` is absent.
 */
export type ContentBlock =
  | TextBlock
  | ReasoningBlock
  | ImageBlock
  | AudioBlock
  | VideoBlock
  | FileBlock
  | PlainTextBlock
  | ToolCallBlock
  | ToolCallChunkBlock
  | InvalidToolCallBlock
  | ServerToolCallBlock
  | ServerToolCallChunkBlock
  | ServerToolResultBlock
  | NonStandardBlock;

/** Text that is meant to be read. */
export interface TextBlock extends BlockBase {
  readonly type: "text";
  readonly text: string;
  /** Where it comes from. In a delta, those to be added. */
  readonly annotations?: readonly Annotation[];
  readonly index?: number;
}

/** What the model thought before it answered, as far as the provider shows it: `""` where that is nothing. */
export interface ReasoningBlock extends BlockBase {
  readonly type: "reasoning";
  readonly reasoning: string;
  readonly index?: number;
}

/**
 * A tool call that is still being written. In a `MessageChunk`, `name` and `args` are what the delta adds; in a
 * message, what there is so far.
 */
export interface ToolCallChunkBlock extends BlockBase {
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
export interface ToolCallBlock extends BlockBase {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** A tool call that cannot be run. Nothing of what the model wrote is lost. */
export interface InvalidToolCallBlock extends BlockBase {
  readonly type: "invalid_tool_call";
  readonly id: string;
  readonly name?: string;
  /** The arguments as the model wrote them. */
  readonly args: string;
  /** A sentence on what is wrong with them, fit to be sent back to the model. */
  readonly error: string;
}

/** A call of a tool that the provider runs, such as its web search, while it is written: as `tool_call_chunk`. */
export interface ServerToolCallChunkBlock extends Omit<ToolCallChunkBlock, "type"> {
  readonly type: "server_tool_call_chunk";
}

/** A call of a tool that the provider runs itself. */
export interface ServerToolCallBlock extends BlockBase {
  readonly type: "server_tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** What a tool of the provider gave. */
export interface ServerToolResultBlock extends BlockBase {
  readonly type: "server_tool_result";
  /** The `id` of the call. */
  readonly toolCallId: string;
  readonly status: "success" | "error";
  /** As the provider writes it. */
  readonly output?: JsonValue;
}

/** A part that only one provider knows, exactly as that provider writes it. */
export interface NonStandardBlock {
  readonly type: "non_standard";
  readonly value: JsonValue;
}

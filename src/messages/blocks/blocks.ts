import type { JsonRepair } from "../../json/repair.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Annotation } from "./annotations.js";
import type { AudioBlock, FileBlock, ImageBlock, PlainTextBlock, VideoBlock } from "./media-blocks.js";
import type { BlockBase } from "./metadata.js";

/**
 * One part of a message. The `type` values and their fields are those of the standard content blocks, shared by all
 * providers.
 *
 * Text, reasoning, audio and tool call chunks are also streamed as deltas. In a delta, `index` names the block of the
 * message that it continues. In a message, `index` is absent: the position in the array replaces it.
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

/** Text of the answer. */
export interface TextBlock extends BlockBase {
  readonly type: "text";
  readonly text: string;
  /** Sources of the text. In a delta, the ones to add. */
  readonly annotations?: readonly Annotation[];
  readonly index?: number;
}

/** The reasoning of the model. The text is `""` if the provider hides it. */
export interface ReasoningBlock extends BlockBase {
  readonly type: "reasoning";
  readonly reasoning: string;
  readonly index?: number;
}

/**
 * A tool call that the model is still writing. In a `MessageChunk`, `name` and `args` are what the delta adds. In a
 * message, they are what has arrived so far.
 */
export interface ToolCallChunkBlock extends BlockBase {
  readonly type: "tool_call_chunk";
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  /** JSON text, cut anywhere. */
  readonly args?: string;
  /**
   * The arguments of an invalid call as the model wrote them, if that was not JSON: a call written as text. They are in
   * one delta, after those of `args`, and take their place when the call has ended.
   */
  readonly raw?: string;
  /** Why such a call is invalid, if the text of `args` does not show it. In the delta of `raw`. */
  readonly error?: string;
  /** The repairs of a call written as text, if its JSON was not valid. In a delta, the ones to add. */
  readonly repairs?: readonly JsonRepair[];
  /**
   * The parsed value of `args` so far. Only in a message. Use it for display, not to run the tool: it may be cut
   * anywhere, even where it looks complete.
   */
  readonly snapshot?: JsonValue;
}

/** A tool call whose arguments are complete. */
export interface ToolCallBlock extends BlockBase {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /**
   * The repairs of the text of the arguments, at most 100. Absent if the text was valid. In a call written as text, the
   * offset counts from the start of its JSON.
   */
  readonly repairs?: readonly JsonRepair[];
}

/** A tool call that cannot be run. It keeps everything that the model wrote. */
export interface InvalidToolCallBlock extends BlockBase {
  readonly type: "invalid_tool_call";
  readonly id: string;
  readonly name?: string;
  /** The arguments as the model wrote them. */
  readonly args: string;
  /** A sentence on the fault in the arguments that can be sent to the model. */
  readonly error: string;
}

/** A streaming call of a tool that the provider runs, such as web search. Works like `tool_call_chunk`. */
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

/** The result of a tool that the provider ran. */
export interface ServerToolResultBlock extends BlockBase {
  readonly type: "server_tool_result";
  /** The `id` of the call. */
  readonly toolCallId: string;
  readonly status: "success" | "error";
  /** The output in the provider's format. */
  readonly output?: JsonValue;
}

/** A part specific to one provider, unchanged. */
export interface NonStandardBlock {
  readonly type: "non_standard";
  readonly value: JsonValue;
}

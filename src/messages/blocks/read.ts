import { fieldOf } from "../../text/thrown.js";
import { checkArgument } from "../../text/check-options.js";
import type { JsonObject } from "../../json/value.js";
import { isMediaUrl } from "../../text/bytes/media-kind.js";
import type { MediaSource, PlainTextBlock } from "./media-blocks.js";
import type { ContentBlock, InvalidToolCallBlock, ToolCallBlock, ToolCallChunkBlock } from "./blocks.js";

/** A message or a message chunk. */
export interface HasContent {
  readonly content: readonly ContentBlock[];
}

export function textBlocks(text: string): ContentBlock[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** @throws {TypeError} for what is no message, such as the text of one */
function contentOf(subject: string, message: HasContent): readonly ContentBlock[] {
  const content = fieldOf(message, "content");
  checkArgument(subject, "a message with an array of content", Array.isArray(content), message);
  return message.content;
}

/** Joins the text blocks of a message. For a chunk, returns the text that it adds. */
export function textOf(message: HasContent): string {
  let text = "";
  for (const block of contentOf("textOf()", message)) if (block.type === "text") text += block.text;
  return text;
}

/** Joins the reasoning blocks of a message. For a chunk, returns the reasoning that it adds. */
export function reasoningOf(message: HasContent): string {
  let reasoning = "";
  for (const block of contentOf("reasoningOf()", message))
    if (block.type === "reasoning") reasoning += block.reasoning;
  return reasoning;
}

/** A call of a tool of ours, in any state. */
export type CallBlock = ToolCallChunkBlock | ToolCallBlock | InvalidToolCallBlock;

export function isCallBlock(block: ContentBlock): block is CallBlock {
  const { type } = block;
  return type === "tool_call" || type === "tool_call_chunk" || type === "invalid_tool_call";
}

/** A plain-text document with its title and context. `undefined` for one that is only a file. */
export function documentText({ title, context, text }: PlainTextBlock): string | undefined {
  if (text === undefined) return undefined;
  return [title, context, text].filter((part) => part !== undefined).join("\n\n");
}

/** The URL at which a page shows a medium: its own, or one with its data. `undefined` for one that a page must not load. */
export function pageUrlOf({ url, data }: MediaSource, mimeType = ""): string | undefined {
  if (url !== undefined) return isMediaUrl(url) ? url : undefined;
  return data === undefined ? undefined : `data:${mimeType};base64,${data}`;
}

/** A complete call: valid, or invalid with the reason. */
export type FinishedCall = ToolCallBlock | InvalidToolCallBlock;

export function isFinishedCall(block: ContentBlock): block is FinishedCall {
  return block.type === "tool_call" || block.type === "invalid_tool_call";
}

/** A tool call that can be run: its arguments are a complete JSON object. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * Returns the tool calls of a message that can be run. Calls that are still being written (`tool_call_chunk`) or are
 * invalid (`invalid_tool_call`) are only in `content`.
 *
 * @example
 * ```ts
 * import { assistant, textOf, toolCallsOf } from "millrace";
 *
 * const call = { type: "tool_call", id: "1", name: "weather", args: { city: "Oslo" } } as const;
 * const message = assistant(["I look it up.", call]);
 * console.log(textOf(message), toolCallsOf(message).map(({ name }) => name)); // I look it up. [ 'weather' ]
 * ```
 */
export function toolCallsOf(message: HasContent): ToolCall[] {
  return contentOf("toolCallsOf()", message).flatMap((block) =>
    block.type === "tool_call" ? [{ id: block.id, name: block.name, args: block.args }] : [],
  );
}

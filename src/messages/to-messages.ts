import type { JsonValue } from "../json/value.js";
import type { ContentBlock } from "./blocks/blocks.js";
import { MessageError } from "./errors.js";
import { toolCallFrom } from "./merge/finished-call.js";
import { describe, isRecord, type Loose } from "./loose.js";
import type { Message } from "./message.js";
import { fromOpenAIPart } from "./openai-part.js";

/**
 * Input accepted wherever messages are expected: a string (a user message), a message, an OpenAI-style object, or an
 * array of these.
 */
export type MessagesInput = string | MessageLike | readonly (string | MessageLike)[];

/**
 * A message, or an object in the format of OpenAI's Chat Completions API: `{role, content}` with a text or an array of
 * parts, `tool_calls` for the calls of an assistant, `tool_call_id` for the call that a tool answers.
 */
export type MessageLike = Message | OpenAIStyleMessage;

/** A message in the format of the Chat Completions API. */
export interface OpenAIStyleMessage {
  /** `developer` counts as `system`, `human` as `user`, `ai` as `assistant`. */
  readonly role: "system" | "developer" | "user" | "human" | "assistant" | "ai" | "tool";
  readonly content?: string | null | readonly object[];
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly OpenAIStyleToolCall[] | null;
}

/** A tool call in the format of the Chat Completions API. */
export interface OpenAIStyleToolCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * Converts any accepted input to messages. A value that already is a message is returned as the same object.
 *
 * Content parts without a matching block become `non_standard` blocks. A tool call whose arguments are not a JSON object
 * becomes an `invalid_tool_call`.
 *
 * @throws {MessageError} if an item is not a message; the error text names its place
 *
 * @example
 * ```ts
 * import { toMessages } from "millrace";
 *
 * console.log(toMessages("Hi")); // [{ role: "user", content: [{ type: "text", text: "Hi" }] }]
 * console.log(toMessages([{ role: "developer", content: "Be brief." }, "Hi"]).map((message) => message.role));
 * ```
 */
export function toMessages(input: MessagesInput): Message[] {
  return Array.isArray(input)
    ? input.map((item, index) => toMessage(item, `messages[${index}]`))
    : [toMessage(input, "The input")];
}

function toMessage(input: unknown, place: string): Message {
  if (typeof input === "string") return { role: "user", content: textBlocks(input) };
  if (!isRecord(input)) {
    throw new MessageError(
      "invalid_input",
      `${place} is not a message: expected a string or an object with role and content, but got ${describe(input)}.`,
    );
  }
  const role = roleOf(input["role"], place);
  const { tool_call_id, tool_calls, ...own } = withoutNulls(input);
  const content = toBlocks(input["content"], `${place}.content`);
  const calls = Array.isArray(tool_calls)
    ? tool_calls.map((call: unknown, index) => toToolCall(call, `${place}.tool_calls[${index}]`))
    : [];
  const toolCallId = input["toolCallId"] ?? tool_call_id;
  if (role === "tool" && typeof toolCallId !== "string") {
    throw new MessageError(
      "missing_tool_call_id",
      `${place} has the role "tool", but no toolCallId. Set it to the id of the call that it answers.`,
    );
  }
  if (
    role === input["role"] &&
    content === input["content"] &&
    !("tool_call_id" in input) &&
    calls.length === 0
  ) {
    return input as unknown as Message;
  }
  return {
    ...own,
    role,
    content: [...content, ...calls],
    ...(role === "tool" ? { toolCallId } : undefined),
  } as Message;
}

/** OpenAI writes `null` for absent fields (`refusal: null`). Ours are absent. */
function withoutNulls(input: Loose): Loose {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function roleOf(role: unknown, place: string): Message["role"] {
  const known =
    typeof role === "string" && Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : undefined;
  if (known !== undefined) return known;
  const expected = Object.keys(roles).join(", ");
  throw new MessageError(
    "unknown_role",
    `${place}.role is ${describe(role)}, but must be one of ${expected}.`,
  );
}

const roles = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  tool: "tool",
} as const;

/** Returns the same array if every part already is a block. */
function toBlocks(content: unknown, place: string): readonly ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  if (!Array.isArray(content)) {
    throw new MessageError(
      "invalid_content",
      `${place} must be a string or an array of blocks, but is ${describe(content)}.`,
    );
  }
  const blocks = content.map((part: unknown, index) => toBlock(part, `${place}[${index}]`));
  return blocks.every((block, index) => block === content[index]) ? (content as ContentBlock[]) : blocks;
}

function toBlock(part: unknown, place: string): ContentBlock {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isRecord(part) || typeof part["type"] !== "string") {
    throw new MessageError(
      "invalid_content",
      `${place} must be a block with a type, but is ${describe(part)}.`,
    );
  }
  const block = fromOpenAIPart(part, place);
  if (block !== undefined) return block;
  return blockTypes.has(part["type"])
    ? (part as unknown as ContentBlock)
    : { type: "non_standard", value: part as JsonValue };
}

const blockTypes: ReadonlySet<string> = new Set<ContentBlock["type"]>([
  "text",
  "reasoning",
  "image",
  "audio",
  "video",
  "file",
  "text-plain",
  "tool_call",
  "tool_call_chunk",
  "invalid_tool_call",
  "server_tool_call",
  "server_tool_call_chunk",
  "server_tool_result",
  "non_standard",
]);

function toToolCall(call: unknown, place: string): ContentBlock {
  const { id, function: called } = isRecord(call) ? call : { id: undefined, function: undefined };
  if (typeof id !== "string" || !isRecord(called) || typeof called["name"] !== "string") {
    throw new MessageError("invalid_content", `${place} must be {id, function: {name, arguments}}.`);
  }
  return toolCallFrom(id, called["name"], typeof called["arguments"] === "string" ? called["arguments"] : "");
}

function textBlocks(text: string): ContentBlock[] {
  return text === "" ? [] : [{ type: "text", text }];
}

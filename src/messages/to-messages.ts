import type { JsonValue } from "../json/value.js";
import type { ContentBlock } from "./blocks/blocks.js";
import { MessageError } from "./errors.js";
import { toolCallFrom } from "./merge/finished-call.js";
import { describe, isRecord, type Loose } from "./loose.js";
import type { Message } from "./message.js";
import { openAIPart } from "./openai-part.js";

/**
 * What is taken wherever messages are wanted: a string is what the person says; a message; an OpenAI-style object; or an
 * array of these.
 */
export type MessagesInput = string | MessageLike | readonly (string | MessageLike)[];

/**
 * A message of ours, or one as OpenAI's chat API writes it: `{role, content}` with a text or an array of parts, the
 * calls of an assistant in `tool_calls`, the call that a tool answers in `tool_call_id`.
 */
export type MessageLike = Message | OpenAIStyleMessage;

/** A message as the Chat Completions API writes it. */
export interface OpenAIStyleMessage {
  /** `developer` counts as `system`, `human` as `user`, `ai` as `assistant`. */
  readonly role: "system" | "developer" | "user" | "human" | "assistant" | "ai" | "tool";
  readonly content?: string | null | readonly object[];
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly OpenAIStyleToolCall[] | null;
}

/** A tool call as the Chat Completions API writes it. */
export interface OpenAIStyleToolCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * Messages of ours for whatever was given. A message that is one already is kept as it is.
 *
 * Parts of a content that have no block of ours are kept as `non_standard`. Arguments of a call that are no JSON object
 * make it an `invalid_tool_call`.
 *
 * @throws {MessageError} for what is no message, with its place
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
      `${place} is no message: expected a string or an object with role and content, but got ${describe(input)}.`,
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
      `${place} is the answer of a tool, but has no toolCallId that says which call it answers.`,
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

/** OpenAI writes `refusal: null` and the like for what is not there; here it is absent then. */
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

/** The same array if all in it are blocks already. */
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
  const block = openAIPart(part, place);
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

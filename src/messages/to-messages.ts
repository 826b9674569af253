import type { Metadata } from "./blocks/metadata.js";
import { MessageError } from "./errors.js";
import { callsBeside } from "./input/calls.js";
import { textBlocks, toBlocks } from "./input/content.js";
import { textAt } from "./input/content-error.js";
import { speechBeside, withRefusalBeside } from "./input/openai-answer.js";
import { roleOf, roleNamed, type RoleName } from "./input/role.js";
import { describe, isRecord, type Loose } from "./loose.js";
import type { Message, ToolMessage } from "./message.js";

/**
 * Input accepted wherever messages are expected: a string (a user message), a message, an object in the format of
 * OpenAI, Anthropic or LangChain, or an array of these and of tuples such as `["user", "Hi"]`.
 */
export type MessagesInput = string | MessageLike | readonly (string | MessageLike | MessageTuple)[];

/**
 * A message, or an object in the format of OpenAI's Chat Completions API, Anthropic's Messages API or LangChain:
 * `{role, content}` with a text or an array of parts, `tool_calls` for the calls of an assistant, `tool_call_id` for
 * the call that a tool answers. LangChain's messages have a `type` instead of the role.
 */
export type MessageLike = Message | OpenAIStyleMessage | LangChainStyleMessage;

/** A role and a text, or an array of content parts. */
export type MessageTuple = readonly [role: RoleName, content: string | readonly object[]];

/** A message in the format of the Chat Completions API. */
export interface OpenAIStyleMessage {
  /** `developer` counts as `system`, `human` as `user`, `ai` as `assistant`. */
  readonly role: RoleName;
  readonly content?: string | null | readonly object[];
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly (OpenAIStyleToolCall | LangChainStyleToolCall)[] | null;
}

/** A message of LangChain, or its fields. */
export interface LangChainStyleMessage {
  readonly type: RoleName;
  readonly content: string | readonly (string | object)[];
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly LangChainStyleToolCall[] | undefined;
}

/** A tool call in the format of LangChain. */
export interface LangChainStyleToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: object;
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
 * Content parts without a matching block become `non_standard` blocks. A tool call whose arguments are not a JSON
 * object becomes an `invalid_tool_call`. A `tool_result` of Anthropic becomes a tool message before the message that
 * contained it.
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
    ? input.flatMap((item: unknown, index) => messagesOf(item, `messages[${index}]`))
    : messagesOf(input, "The input");
}

/** The messages of one item: several if it contains results of tools. */
export function messagesOf(item: unknown, place: string): Message[] {
  const input = Array.isArray(item) ? tupleIn(item, place) : item;
  const content = isRecord(input) ? input["content"] : undefined;
  if (!isRecord(input) || !Array.isArray(content) || !content.some(isToolResult))
    return [toMessage(input, place)];
  const results = content.flatMap((part: unknown, index): ToolMessage[] =>
    isToolResult(part) ? [toToolMessage(part, `${place}.content[${index}]`)] : [],
  );
  const rest = content.filter((part) => !isToolResult(part));
  return rest.length === 0 ? results : [...results, toMessage({ ...input, content: rest }, place)];
}

function tupleIn(input: readonly unknown[], place: string): Loose {
  const [role, content] = input;
  if (input.length === 2 && roleNamed(role) !== undefined) return { role, content };
  throw new MessageError(
    "invalid_input",
    `${place} is not a message: expected [role, content], such as ["user", "Hi"], but got ${describe(input)}.`,
  );
}

function toMessage(value: unknown, place: string): Message {
  if (typeof value === "string") return { role: "user", content: textBlocks(value) };
  if (!isRecord(value)) {
    throw new MessageError(
      "invalid_input",
      `${place} is not a message: expected a string or an object with role and content, but got ${describe(value)}.`,
    );
  }
  const role = roleOf(value, place);
  const input = role === "assistant" ? withRefusalBeside(value, place) : value;
  const content = toBlocks(input["content"], role, `${place}.content`);
  const beside = [
    ...(role === "assistant" ? speechBeside(input, place) : []),
    ...callsBeside(content, input, place),
  ];
  const toolCallId = input["toolCallId"] ?? input["tool_call_id"];
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
    beside.length === 0
  ) {
    return input as unknown as Message;
  }
  return {
    ...("role" in input ? ownFieldsOf(input) : fieldsOfLangChain(input)),
    role,
    content: [...content, ...beside],
    ...(role === "tool" ? { toolCallId } : undefined),
  } as Message;
}

/** OpenAI writes `null` for absent fields (`refusal: null`). Ours are absent. */
function ownFieldsOf({
  tool_call_id: _id,
  tool_calls: _calls,
  invalid_tool_calls: _invalid,
  function_call: _call,
  audio: _audio,
  ...own
}: Loose): Loose {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
}

/** The fields of a LangChain message that a message has too. */
function fieldsOfLangChain({ id, name, status, artifact, refusal }: Loose): Loose {
  return Object.fromEntries(
    Object.entries({ id, name, status, artifact, refusal }).filter(
      ([, value]) => value !== undefined && value !== null,
    ),
  );
}

/** Whether it is a tool result of Anthropic, which is a part of a user message there. */
function isToolResult(part: unknown): part is Loose {
  return isRecord(part) && part["type"] === "tool_result";
}

function toToolMessage(part: Loose, place: string): ToolMessage {
  const { tool_use_id, content, is_error, cache_control } = part;
  return {
    role: "tool",
    toolCallId: textAt(`${place}.tool_use_id`, tool_use_id),
    content: toBlocks(content, "tool", `${place}.content`),
    ...(is_error === true ? { status: "error" } : undefined),
    ...(isRecord(cache_control) ? { metadata: { cache_control } as Metadata } : undefined),
  };
}

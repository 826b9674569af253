import type { Metadata } from "./blocks/metadata.js";
import { textBlocks } from "./blocks/read.js";
import { MessageError, contentError, textAt } from "./errors.js";
import { callsBeside } from "./input/calls.js";
import { toBlocks, toKnownBlock } from "./input/content.js";
import { contentIn, type GivenContent, noContent } from "./input/content-list.js";
import { type PlacedInput, serialisedIn } from "./input/langchain.js";
import { speechBeside, withRefusalBeside } from "./input/openai-part.js";
import { stepsInParts } from "./input/parts.js";
import { roleOf, roleNamed, type RoleName } from "./input/role.js";
import { describe, isRecord, type Loose, presentIn } from "./loose.js";
import type { Message, ToolMessage } from "./message.js";
import { wordSet } from "../text/words-in.js";

/**
 * Input accepted wherever messages are expected: a string (a user message), a message, an object in the format of
 * OpenAI, Anthropic, LangChain or the AI SDK, or an array of these and of tuples such as `["user", "Hi"]`.
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
  /** The content of a message of LangChain 1. The type of each block must be known. */
  readonly contentBlocks?: readonly object[];
  /** The content of a message of the AI SDK or of Gemini. The type of each part must be known. */
  readonly parts?: readonly (string | object)[];
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
 * Content parts without a matching block become `non_standard` blocks, but are refused in `contentBlocks` and `parts`. A
 * tool call whose arguments are not a JSON object becomes an `invalid_tool_call`. A `tool_result` of Anthropic becomes a
 * tool message before the message that contained it. A message of the AI SDK becomes a message for each step, and tool
 * messages.
 *
 * @throws {MessageError} if an item is not a message, or has no content; the error text names its place
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
    ? Array.from(input, (item: unknown, index) => messagesOf(item, `messages[${index}]`)).flat()
    : messagesOf(input, "The input");
}

/** The messages of one item: several if it contains results of tools, or the steps of an answer. */
export function messagesOf(item: unknown, place: string): Message[] {
  if (typeof item === "string") return [{ role: "user", content: textBlocks(item) }];
  const { input, place: at } = inputIn(item, place);
  const role = roleOf(input, at);
  const given = contentIn(input, at);
  const { name, value } = given;
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (name === "parts") {
    const [first, ...later] = stepsInParts(list, role, `${at}.parts`);
    return [
      toMessage(input, role, { name, value: first?.content }, at),
      ...(first?.results ?? []),
      ...later.flatMap(({ content, results }): Message[] => [{ role: "assistant", content }, ...results]),
    ];
  }
  if (!list.some(isToolResult)) return [toMessage(input, role, given, at)];
  const results = list.flatMap((part, index): ToolMessage[] =>
    isToolResult(part) ? [toToolMessage(part, `${at}.${name ?? "content"}[${index}]`)] : [],
  );
  const rest = list.filter((part) => !isToolResult(part));
  return rest.length === 0 ? results : [...results, toMessage(input, role, { name, value: rest }, at)];
}

function inputIn(item: unknown, place: string): PlacedInput {
  if (Array.isArray(item)) return { input: tupleIn(item, place), place };
  if (isRecord(item)) return serialisedIn(item, place);
  throw new MessageError(
    "invalid_input",
    `${place} is not a message: expected a string or an object with role and content, but got ${describe(item)}.`,
  );
}

function tupleIn(input: readonly unknown[], place: string): Loose {
  const [role, content] = input;
  if (input.length === 2 && roleNamed(role) !== undefined) return { role, content };
  throw new MessageError(
    "invalid_input",
    `${place} is not a message: expected [role, content], such as ["user", "Hi"], but got ${describe(input)}.`,
  );
}

function toMessage(
  item: Loose,
  role: Message["role"],
  { name, value }: GivenContent,
  place: string,
): Message {
  const contentPlace = `${place}.${name ?? "content"}`;
  const given = value === item["content"] ? item : { ...item, content: value };
  const input = role === "assistant" ? withRefusalBeside(given, contentPlace) : given;
  // The parts are blocks by now.
  const read = name === "contentBlocks" || name === "content_blocks" ? toKnownBlock : undefined;
  const content = toBlocks(input["content"], role, contentPlace, read);
  const beside = [
    ...(role === "assistant" ? speechBeside(input, place) : []),
    ...callsBeside(content, input, place),
  ];
  if (beside.length === 0 && typeof input["refusal"] !== "string") checkContent(item, role, value, place);
  const toolCallId = input["toolCallId"] ?? input["tool_call_id"];
  if (role === "tool" && typeof toolCallId !== "string") {
    throw new MessageError(
      "missing_tool_call_id",
      `${place} has the role "tool", but no toolCallId. Set it to the id of the call that it answers.`,
    );
  }
  if (
    role === item["role"] &&
    content === item["content"] &&
    !("tool_call_id" in item) &&
    beside.length === 0
  ) {
    return item as unknown as Message;
  }
  return {
    ...("role" in input && name !== "parts" ? ownFieldsOf(input) : messageFieldsOf(input)),
    role,
    content: [...content, ...beside],
    ...(role === "tool" ? { toolCallId } : undefined),
  } as Message;
}

/** Models and tools may answer with nothing, which OpenAI writes as `null`. */
function checkContent(input: Loose, role: Message["role"], content: unknown, place: string): void {
  if (content === undefined) throw noContent(input, place);
  if (content === null && role !== "assistant" && role !== "tool")
    throw contentError(`${place}.content`, "a string or an array of blocks", content);
}

/** OpenAI writes `null` for absent fields (`refusal: null`). Ours are absent. */
function ownFieldsOf(input: Loose): Loose {
  return Object.fromEntries(Object.entries(presentIn(input)).filter(([name]) => !readFields.has(name)));
}

/** The fields of other libraries that are read elsewhere. */
const readFields = wordSet(`
  tool_call_id tool_calls invalid_tool_calls function_call audio additional_kwargs contentBlocks content_blocks parts
`);

function messageFieldsOf({ id, name, status, artifact, refusal }: Loose): Loose {
  return presentIn({ id, name, status, artifact, refusal });
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

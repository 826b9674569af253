import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isFinishedCall, textOf } from "../../messages/blocks/read.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { system, user } from "../../messages/constructors.js";
import type { AssistantMessage, Message, ToolMessage } from "../../messages/message.js";
import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";
import type { CallOptions, ChatModel } from "../../models/contract/chat-model.js";
import { checkServerTools } from "../../models/contract/check-call-options.js";
import {
  callTexts,
  toolCallInstructions,
  type WrittenCall,
} from "../../parsers/text-tool-calls/call-texts.js";
import { textToolCalls } from "../../parsers/text-tool-calls/text-tool-calls.js";

type Dialect = ToolCallDialect | "auto";

/**
 * Calls a model that writes tool calls as text: the prompt describes the tools, calls and results are sent as text, and
 * the calls in the answer are read.
 */
export function streamTextCalls(
  model: ChatModel,
  messages: readonly Message[],
  { tools = [], toolChoice, ...others }: CallOptions,
  dialect: Dialect,
): AsyncIterable<MessageChunk> {
  checkServerTools({ tools }, model);
  const options = { ...others, parallelToolCalls: undefined }; // cannot be said in text
  const sent = withoutCalls(messages, dialect);
  const offered =
    typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (offered.length === 0 || toolChoice === "none") return model.stream(sent, options);
  const mustCall = toolChoice === "required" || typeof toolChoice === "object";
  const instructions = toolCallInstructions(offered, dialect, mustCall);
  const openThinking = model.profile.openThinking === true;
  return textToolCalls({ dialect, tools: offered, openThinking })(
    model.stream(withInstructions(sent, instructions), options),
  );
}

/** Adds the instructions to the system prompt. Many chat templates accept only one. */
function withInstructions(messages: readonly Message[], instructions: string): readonly Message[] {
  const [first, ...others] = messages;
  if (first?.role !== "system") return [system(instructions), ...messages];
  return [
    { ...first, content: [...first.content, { type: "text", text: `\n\n${instructions}` }] },
    ...others,
  ];
}

/** The messages with calls and results as text. The results of one step are one message of the user. */
function withoutCalls(messages: readonly Message[], dialect: Dialect): readonly Message[] {
  const names = new Map<string, string>();
  const sent: Message[] = [];
  let results: ContentBlock[] = [];
  const endResults = (): void => {
    if (results.length > 0) sent.push(user(results));
    results = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      if (results.length > 0) results.push({ type: "text", text: "\n" });
      results.push(...resultOf(message, names.get(message.toolCallId) ?? "the call", dialect));
      continue;
    }
    endResults();
    sent.push(message.role === "assistant" ? withTextCalls(message, names, dialect) : message);
  }
  endResults();
  return sent;
}

function resultOf(message: ToolMessage, name: string, dialect: Dialect): readonly ContentBlock[] {
  const media = message.content.filter(({ type }) => type !== "text");
  return [{ type: "text", text: callTexts(dialect).result(name, textOf(message)) }, ...media];
}

function withTextCalls(
  message: AssistantMessage,
  names: Map<string, string>,
  dialect: Dialect,
): AssistantMessage {
  const calls: WrittenCall[] = [];
  const content = message.content.filter((block) => {
    if (!isFinishedCall(block)) return true;
    const { id, name = "", args } = block;
    names.set(id, name);
    calls.push({ name, args });
    return false;
  });
  if (calls.length === 0) return message;
  const hasText = content.some(({ type }) => type === "text");
  const text = `${hasText ? "\n" : ""}${callTexts(dialect).calls(calls)}`;
  return { ...message, content: [...content, { type: "text", text }] };
}

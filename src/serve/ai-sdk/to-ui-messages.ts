import type { AgentState } from "../../agent/state.js";
import type { JsonValue } from "../../json/value.js";
import { isMediaUrl } from "../../text/bytes/media-kind.js";
import { addUsage } from "../../text/add-usage.js";
import {
  type AgentBlock,
  type AgentMessage,
  type AgentToolMessage,
  isCorrection,
  messageText,
} from "../run/agent-messages.js";
import { idOfMessage } from "../run/conversation.js";
import {
  metadataField,
  type UiMessage,
  type UiMessageMetadata,
  type UiMetadataOf,
  type UiPart,
} from "./ui-messages.js";

/** A conversation: messages, the state of a run, or a thread. */
export type UiConversation = readonly AgentMessage[] | UiState | UiThread;

/** The part of a state that `toUiMessages()` reads. `paused`: the calls without a result wait. */
export type UiState = Pick<AgentState, "messages" | "response" | "saved" | "clientCalls"> & {
  readonly status?: string;
};

/** The part of a thread that `toUiMessages()` reads. */
export interface UiThread {
  readonly messages: readonly AgentMessage[];
  readonly status: string;
  readonly record: { readonly state: UiState } | undefined;
  readonly responseCalls: ReadonlySet<string>;
}

/** The options of `toUiMessages()`. */
export interface ToUiMessagesOptions {
  /** The `messageMetadata` of `toUiMessageStream()`. Default: `{ usage, incomplete }`, if known. */
  readonly messageMetadata?: UiMetadataOf;
}

/**
 * Converts a kept conversation to messages for `useChat({ messages })`, as the page had them before it was reloaded.
 *
 * - The steps of a turn are one message. Its id follows from that of the user's message, so it stays the same.
 * - Calls that wait are `approval-requested`, or `input-available` if the page answers them.
 * - The structured response is the part `data-structured`, as the model wrote it.
 * - `metadata` has the `usage` of a turn, and `incomplete` if its answer was stopped or has failed.
 *
 * @param conversation a thread, the state of a run, or messages
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { toUiMessages } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const { state } = await agent.invoke("Hi");
 * for (const { id, role, parts } of toUiMessages(state)) console.log(id, role, parts.at(-1));
 * ```
 *
 * ```text prints
 * m0 user { type: 'text', text: 'Hi', state: 'done' }
 * m0-answer assistant { type: 'text', text: 'Hello.', state: 'done' }
 * ```
 */
export function toUiMessages(
  conversation: UiConversation,
  { messageMetadata }: ToUiMessagesOptions = {},
): UiMessage[] {
  const known = knownOf(conversation);
  const turns = turnsOf(known.messages);
  return turns.flatMap(({ question, answer }, index) => {
    const messages: UiMessage[] = [];
    if (question !== undefined) {
      const { id, role, content } = question;
      messages.push({ id, role, parts: content.flatMap(contentPart) });
    }
    if (answer.length > 0) {
      const last = index === turns.length - 1 ? known : { ...known, ...finished };
      const id = idOfAnswer(question?.id);
      const metadata = metadataField("metadata", answerMetadata(answer, last.status), messageMetadata);
      messages.push({ id, role: "assistant", parts: answerParts(answer, last), ...metadata });
    }
    return messages;
  });
}

/** A conversation, with the names of its response calls. */
interface Known extends Omit<UiState, "response"> {
  readonly response?: UiState["response"] | undefined;
  readonly responseCalls: ReadonlySet<string>;
}

/** All turns but the last have ended. */
const finished = { status: "finished", response: undefined } as const;

function knownOf(conversation: UiConversation): Known {
  if (!("messages" in conversation)) return { messages: conversation, responseCalls: new Set() };
  if ("record" in conversation) {
    const { record, messages, status, responseCalls } = conversation;
    return { ...record?.state, messages, status, responseCalls };
  }
  const { response } = conversation;
  return { ...conversation, responseCalls: new Set(response === undefined ? [] : [response.name]) };
}

/** The id of the answer to a message. */
export function idOfAnswer(question = "m"): string {
  return `${question}-answer`;
}

/** The tokens of an answer, and whether it is complete. */
export function answerMetadata(answer: readonly AgentMessage[], status = "finished"): UiMessageMetadata {
  let usage: UiMessageMetadata["usage"];
  for (const message of answer) if (message.role === "assistant") usage = addUsage(usage, message.usage);
  const last = answer.findLast((it) => it.role === "assistant");
  const isIncomplete = unfinished.has(status) || last?.finishReason === undefined;
  return { ...(usage !== undefined && { usage }), ...(isIncomplete && { incomplete: true }) };
}

const unfinished: ReadonlySet<string> = new Set(["running", "stopped", "failed"]);

/** A message of the user, and the messages that answer it. */
interface UiTurn {
  readonly question: (Pick<AgentMessage, "content"> & Pick<UiMessage, "id" | "role">) | undefined;
  readonly answer: AgentMessage[];
}

function turnsOf(messages: readonly AgentMessage[]): UiTurn[] {
  const turns: UiTurn[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    if (isCorrection(message)) continue;
    if (role === "user" || role === "system")
      turns.push({ question: { id: idOfMessage(message, index), role, content }, answer: [] });
    else {
      if (turns.length === 0) turns.push({ question: undefined, answer: [] });
      turns.at(-1)?.answer.push(message);
    }
  }
  return turns;
}

function answerParts(answer: readonly AgentMessage[], known: Known): UiPart[] {
  const { response, responseCalls } = known;
  const results = new Map(answer.flatMap((it) => (it.role === "tool" ? [[it.toolCallId, it] as const] : [])));
  let data: UiPart | undefined = response && dataPart(response.value);
  const partsOf = (block: AgentBlock): UiPart[] => {
    if (block.type !== "tool_call" && block.type !== "invalid_tool_call") return contentPart(block);
    const result = results.get(block.id);
    if (!responseCalls.has(block.name ?? "")) return [callPart(block, result, known)];
    if (result?.status === "success") data = dataPart(block.args);
    return [];
  };
  const parts = answer.flatMap((message): UiPart[] => {
    // Images and files that a tool has made.
    if (message.role !== "assistant")
      return message.content.filter(({ type }) => type !== "text").flatMap(contentPart);
    const { refusal = "", content } = message;
    const shown = content.flatMap(partsOf);
    if (refusal !== "" && messageText(message) === "") shown.push(textPart("text", refusal));
    return [{ type: "step-start" }, ...shown];
  });
  return data === undefined ? parts : [...parts, data];
}

function callPart(
  { id, name = "", args }: Extract<AgentBlock, { type: "tool_call" | "invalid_tool_call" }>,
  result: AgentToolMessage | undefined,
  known: Known,
): UiPart {
  const call = { type: `tool-${name}`, toolCallId: id, input: args } as const;
  if (result !== undefined) {
    const text = messageText(result);
    if (result.status === "error") return { ...call, state: "output-error", errorText: text };
    return { ...call, state: "output-available", output: outputIn(text) };
  }
  const approval = known.status === "paused" ? approvalOf(id, known) : undefined;
  if (approval === undefined) return { ...call, state: "input-available" };
  return { ...call, state: "approval-requested", approval: { id: approval } };
}

/** The id of the call that waits for a decision: this one, or one of an agent that runs inside it. */
function approvalOf(
  id: string,
  { saved = {}, clientCalls = [] }: Pick<UiState, "saved" | "clientCalls">,
): string | undefined {
  if (clientCalls.includes(id)) return undefined;
  const inner = Object.hasOwn(saved, id) ? (saved[id] as UiState | null) : null;
  const messages: readonly AgentMessage[] | undefined = inner?.messages;
  if (inner === null || !Array.isArray(messages)) return id;
  return openCallIds(messages).flatMap((call) => approvalOf(call, inner) ?? [])[0];
}

function openCallIds(messages: readonly AgentMessage[]): string[] {
  const answered = new Set(messages.map((it) => (it.role === "tool" ? it.toolCallId : undefined)));
  const { content = [] } = messages.findLast(({ role }) => role === "assistant") ?? {};
  return content.flatMap((block) => (block.type === "tool_call" && !answered.has(block.id) ? block.id : []));
}

/** The value of a tool. Its message has objects and arrays as JSON text. */
function outputIn(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function contentPart(block: AgentBlock): UiPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [textPart("text", block.text)];
    case "reasoning":
      return block.reasoning === "" ? [] : [textPart("reasoning", block.reasoning)];
    case "image":
    case "audio":
    case "video":
    case "file": {
      const {
        url,
        data,
        mimeType: mediaType = block.type === "file" ? "application/octet-stream" : block.type,
      } = block;
      const filename = block.type === "file" ? block.filename : undefined;
      const named = filename === undefined ? undefined : { filename };
      if (url !== undefined) return isMediaUrl(url) ? [{ type: "file", mediaType, url, ...named }] : [];
      if (data === undefined) return [];
      return [{ type: "file", mediaType, url: `data:${mediaType};base64,${data}`, ...named }];
    }
    default:
      return [];
  }
}

function textPart(type: "text" | "reasoning", text: string): UiPart {
  return { type, text, state: "done" };
}

function dataPart(data: JsonValue): UiPart {
  return { type: "data-structured", id: "structured", data };
}

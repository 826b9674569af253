import { checkArgument } from "../../text/check-options.js";
import type { AgentState } from "../../agent/state.js";
import type { JsonValue } from "../../json/value.js";
import { addUsage } from "../../text/add-usage.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { type FinishedCall, isFinishedCall, pageUrlOf, textOf } from "../../messages/blocks/read.js";
import type { Message, ToolMessage } from "../../messages/message.js";
import { waitingInside } from "../../messages/open-calls.js";
import { isCorrection } from "../run/page-messages.js";
import { idOfMessage } from "../run/conversation.js";
import {
  metadataField,
  type UiMessage,
  type UiMessageMetadata,
  type UiMetadataOf,
  type UiPart,
} from "./ui-messages.js";
import { parsedJson } from "../../text/json-text.js";

/** A conversation: messages, the state of a run, or a thread. */
export type UiConversation = readonly Message[] | UiState | UiThread;

/** The part of a state that `toUiMessages()` reads. `paused`: the calls without a result wait. */
export type UiState = Pick<AgentState, "messages" | "response" | "saved" | "clientCalls"> & {
  readonly status?: string;
};

/** The part of a thread that `toUiMessages()` reads. */
export interface UiThread {
  readonly messages: readonly Message[];
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
    const last = index === turns.length - 1 ? known : { ...known, ...finished };
    // An answer that stopped or failed before its first word is an empty message.
    if (answer.length > 0 || unfinished.has(last.status ?? "")) {
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
  const isKnown = typeof conversation === "object" && (conversation as unknown) !== null;
  checkArgument("toUiMessages()", "messages, a state or a thread", isKnown, conversation);
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
export function answerMetadata(answer: readonly Message[], status = "finished"): UiMessageMetadata {
  let usage: UiMessageMetadata["usage"];
  for (const message of answer) if (message.role === "assistant") usage = addUsage(usage, message.usage);
  const last = answer.findLast((it) => it.role === "assistant");
  const isIncomplete = unfinished.has(status) || last?.finishReason === undefined;
  return { ...(usage !== undefined && { usage }), ...(isIncomplete && { incomplete: true }) };
}

const unfinished: ReadonlySet<string> = new Set(["running", "stopped", "failed"]);

/** A message of the user, and the messages that answer it. */
interface UiTurn {
  readonly question: (Pick<Message, "content"> & Pick<UiMessage, "id" | "role">) | undefined;
  readonly answer: Message[];
}

function turnsOf(messages: readonly Message[]): UiTurn[] {
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

function answerParts(answer: readonly Message[], known: Known): UiPart[] {
  const { response, responseCalls } = known;
  const results = new Map(answer.flatMap((it) => (it.role === "tool" ? [[it.toolCallId, it] as const] : [])));
  let data: UiPart | undefined = response && dataPart(response.value);
  const partsOf = (block: ContentBlock): UiPart[] => {
    if (!isFinishedCall(block)) return contentPart(block);
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
    if (refusal !== "" && textOf(message) === "") shown.push(textPart("text", refusal));
    return [{ type: "step-start" }, ...shown];
  });
  return data === undefined ? parts : [...parts, data];
}

function callPart(
  { id, name = "", args }: FinishedCall,
  result: ToolMessage | undefined,
  known: Known,
): UiPart {
  const call = { type: `tool-${name}`, toolCallId: id, input: args } as const;
  if (result !== undefined) {
    const text = textOf(result);
    if (result.status === "error") return { ...call, state: "output-error", errorText: text };
    return { ...call, state: "output-available", output: outputIn(text) };
  }
  const waiting = known.status === "paused" ? waitingInside({ id }, known) : [];
  const approval = waiting.find(({ isForClient }) => !isForClient)?.call;
  if (approval === undefined) return { ...call, state: "input-available" };
  return { ...call, state: "approval-requested", approval: { id: approval.id } };
}

/** The value of a tool. Its message has objects and arrays as JSON text. */
function outputIn(text: string): unknown {
  return /^[[{]/.test(text) ? (parsedJson(text) ?? text) : text;
}

/** The part of a text, reasoning or medium; none for one that a page must not load. */
export function contentPart(block: ContentBlock): UiPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [textPart("text", block.text)];
    case "reasoning":
      return block.reasoning === "" ? [] : [textPart("reasoning", block.reasoning)];
    case "image":
    case "audio":
    case "video":
    case "file": {
      const isFile = block.type === "file";
      const { mimeType: mediaType = isFile ? "application/octet-stream" : block.type } = block;
      const url = pageUrlOf(block, mediaType);
      const named = isFile && block.filename !== undefined ? { filename: block.filename } : undefined;
      return url === undefined ? [] : [{ type: "file", mediaType, url, ...named }];
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

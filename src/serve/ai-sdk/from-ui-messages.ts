import { mediaKind } from "../../text/bytes/media-kind.js";
import { jsonText, parsedJson } from "../../text/json-text.js";
import type { ApprovalDecision } from "../../agent/decisions.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { InputMessage } from "../run/page-messages.js";
import type { PageInput } from "../run/conversation.js";
import { withoutOpenCalls } from "../run/without-open-calls.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";

/**
 * Converts a request of `useChat` to messages for `agent.stream()`: text, files, tool calls and their results. A
 * structured response (a part `data-structured`) becomes JSON text of the assistant. Reasoning, sources and other data
 * are for the page only and are dropped.
 *
 * Treat all of it as client input, including messages with the role assistant or tool.
 *
 * @param body the body of the request: `{ messages, … }`
 * @throws {RequestError} `invalid_input` for an invalid message, with its place
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { boundedHandler, fromUiMessages, toUiMessageStream } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const handle = boundedHandler((body, { signal }) =>
 *   toUiMessageStream(agent.stream(fromUiMessages(body), { signal })),
 * );
 * const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] }];
 * const request = new Request("http://localhost/chat", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ messages }),
 * });
 * console.log((await handle(request)).status); // 200
 * ```
 */
export function fromUiMessages(
  body: JsonValue,
  { openCalls = false }: FromUiMessagesOptions = {},
): InputMessage[] {
  return withoutOpenCalls(readUiInput(body).messages, openCalls);
}

/** The options of `fromUiMessages()`. */
export interface FromUiMessagesOptions {
  /**
   * Whether the messages may end with unanswered calls, as when calls wait for approval. They run with the arguments
   * that the client sent, so use it only if middleware decides about each call. Default: false.
   */
  readonly openCalls?: boolean;
}

/** A validated request of `useChat`. All of it is client input. */
export interface UiInput extends PageInput {
  /** The id of the chat. */
  readonly id: string;
  /** The id of the answer that the page continues, after decisions or results. */
  readonly continues: string | undefined;
}

/** @throws {RequestError} `invalid_input` for an invalid message, with its place */
export function readUiInput(body: JsonValue): UiInput {
  const { id, messages } = objectAt(body, "The body");
  const read = eachAt(messages, "messages", readMessage);
  const last = read.at(-1);
  const calls = last?.calls ?? [];
  return {
    id: optional(id, "id", stringAt) ?? "",
    messages: read.flatMap((message) => message.messages),
    decisions: Object.fromEntries(calls.flatMap(({ decision }) => (decision ? [decision] : []))),
    results: Object.fromEntries(calls.flatMap(({ id, answer }) => (answer ? [[id, answer.value]] : []))),
    continues: last?.role === "assistant" ? last.id : undefined,
  };
}

interface ReadMessage {
  readonly id: string | undefined;
  readonly role: "system" | "user" | "assistant";
  /** An answer is a message for each step, and one for each result. */
  readonly messages: readonly InputMessage[];
  readonly calls: readonly UiCall[];
}

interface UiStep {
  readonly content: ContentBlock[];
  /** The structured responses, as JSON text. */
  readonly data: string[];
  readonly calls: UiCall[];
}

interface UiCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly args: string;
  readonly answer?: {
    readonly status: "success" | "error";
    readonly text: string;
    readonly value: JsonValue;
  };
  /** With the id of its approval. */
  readonly decision?: readonly [id: string, ApprovalDecision];
}

function readMessage(value: JsonValue, place: string): ReadMessage {
  const message = objectAt(value, place);
  const { role } = message;
  const id = optional(message["id"], `${place}.id`, stringAt);
  const at = `${place}.parts`;
  const parts = eachAt(message["parts"], at, objectAt);
  if (role === "system" || role === "user") {
    const content = parts.flatMap((part, index) => fromPart(part, `${at}[${index}]`));
    const messages: InputMessage[] = [{ role, content, ...(id !== undefined && { id }) }];
    return { id, role, messages, calls: [] };
  }
  if (role !== "assistant") return wrong(`${place}.role`, "system, user or assistant", role);
  const steps: UiStep[] = [];
  for (const [index, part] of parts.entries()) {
    if (part["type"] === "step-start" || steps.length === 0) steps.push({ content: [], data: [], calls: [] });
    addPart(steps.at(-1) as UiStep, part, `${at}[${index}]`);
  }
  return { id, role, messages: steps.flatMap(fromStep), calls: steps.flatMap(({ calls }) => calls) };
}

function fromStep({ content: written, data, calls }: UiStep): InputMessage[] {
  // A response that came as text is in the message twice.
  const known = new Set(data.length === 0 ? [] : written.map(jsonIn));
  const added = data.filter((text) => !known.has(text)).map((text) => ({ type: "text" as const, text }));
  const content = [...written, ...added];
  if (content.length + calls.length === 0) return [];
  const tool_calls = calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } }));
  const results = calls.flatMap(({ id, name, answer }): InputMessage[] => {
    if (answer === undefined) return [];
    const { status, text } = answer;
    return [{ role: "tool", toolCallId: id, name, status, content: [{ type: "text", text }] }];
  });
  return [{ role: "assistant", content, tool_calls }, ...results];
}

function addPart(step: UiStep, part: JsonObject, place: string): void {
  const type = stringAt(part["type"], `${place}.type`);
  if (type === "dynamic-tool" || type.startsWith("tool-")) {
    if (part["state"] !== "input-streaming") step.calls.push(toCall(part, type, place));
    return;
  }
  if (type === "data-structured") step.data.push(jsonText(part["data"] ?? null).text);
  else step.content.push(...fromPart(part, place));
}

/** The document in a text, without white space between its tokens; `undefined` if there is no document. */
function jsonIn(block: ContentBlock): string | undefined {
  if (block.type !== "text" || !/^\s*[[{]/.test(block.text)) return undefined;
  const value = parsedJson(block.text);
  return value === undefined ? undefined : jsonText(value).text;
}

function toCall(part: JsonObject, type: string, place: string): UiCall {
  const id = stringAt(part["toolCallId"], `${place}.toolCallId`);
  const name = type === "dynamic-tool" ? stringAt(part["toolName"], `${place}.toolName`) : type.slice(5);
  const args = part["input"] ?? part["rawInput"] ?? {};
  const call = { id, name, args: typeof args === "string" ? args : jsonText(args).text };
  const approval = isObject(part["approval"]) ? part["approval"] : {};
  const reason = typeof approval["reason"] === "string" ? approval["reason"] : undefined;
  const failed = (text: string): UiCall => ({ ...call, answer: { status: "error", text, value: text } });
  switch (part["state"]) {
    case "output-available": {
      // The latest progress of a tool that was stopped is no result.
      if (part["preliminary"] === true) return call;
      const value = part["output"] ?? null;
      const text = typeof value === "string" ? value : jsonText(value).text;
      return { ...call, answer: { status: "success", text, value } };
    }
    case "output-error":
      return failed(stringAt(part["errorText"], `${place}.errorText`));
    case "output-denied":
      return failed(reason ?? `The call of "${name}" was rejected by a person.`);
    case "approval-responded": {
      const approvalId = stringAt(approval["id"], `${place}.approval.id`);
      const message = reason === undefined ? undefined : { message: reason };
      const isApproved = approval["approved"] === true;
      return {
        ...call,
        decision: [approvalId, isApproved ? { type: "approve" } : { type: "reject", ...message }],
      };
    }
    default:
      return call;
  }
}

function fromPart(part: JsonObject, place: string): ContentBlock[] {
  switch (stringAt(part["type"], `${place}.type`)) {
    case "text": {
      const text = stringAt(part["text"], `${place}.text`);
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "file": {
      const mimeType = stringAt(part["mediaType"], `${place}.mediaType`);
      const url = stringAt(part["url"], `${place}.url`);
      const filename = optional(part["filename"], `${place}.filename`, stringAt);
      const type = mediaKind(mimeType);
      if (type !== "file") return [{ type, url, mimeType }];
      return [{ type, url, mimeType, ...(filename === undefined ? undefined : { filename }) }];
    }
    default:
      return [];
  }
}

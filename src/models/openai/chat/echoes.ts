import { isObject, type JsonObject, type JsonValue, setMember } from "../../../json/value.js";
import type { BlockBase } from "../../../messages/blocks/metadata.js";
import type { AssistantMessage, Message } from "../../../messages/message.js";
import { asRecord, nonEmptyText, scalarText } from "../../loose.js";
import { plainFields } from "../../wire/plain-json.js";
import type { ServerRules } from "../request/servers.js";

/** Fields that compatible servers send and require in the next request. OpenAI never receives them. */
export interface ServerEchoes {
  readonly ofMessage: (message: AssistantMessage, hasCalls: boolean) => JsonObject;
  readonly ofCall: (block: BlockBase) => JsonObject;
}

const noEchoes: ServerEchoes = { ofMessage: () => ({}), ofCall: () => ({}) };

/**
 * The echoes for a conversation:
 *
 * - the reasoning of messages with calls, under the name under which it came: `reasoning_content`, or `reasoning` (vLLM,
 *   LocalAI). DeepSeek rejects a conversation without `reasoning_content`, so if one message has it, a message with calls
 *   but without reasoning has "". Groq and Mistral reject that field, and do not send it.
 * - `reasoning_details` of OpenRouter, instead of its `reasoning`.
 * - other fields of a call, such as `extra_content`, which has Gemini's thought signature.
 */
export function serverEchoes(
  messages: readonly Message[],
  { official, takesReasoning }: ServerRules,
): ServerEchoes {
  if (official) return noEchoes;
  const reasons = messages.some((message) => reasoningOf(message, "reasoning_content") !== undefined);
  return {
    ofMessage: (message, hasCalls) => {
      const details = message.metadata?.["reasoning_details"];
      if (Array.isArray(details)) return { reasoning_details: joinDetails(details) };
      if (!hasCalls) return {};
      const reasoning = reasoningOf(message, "reasoning");
      if (reasoning !== undefined && takesReasoning) return { reasoning };
      return reasons ? { reasoning_content: reasoningOf(message, "reasoning_content") ?? "" } : {};
    },
    ofCall: ({ metadata }) => asRecord(metadata?.["tool_call"]) as JsonObject,
  };
}

/** The reasoning that arrived in that field. */
function reasoningOf({ content }: Message, field: "reasoning" | "reasoning_content"): string | undefined {
  const texts = content.flatMap((block) =>
    block.type === "reasoning" && block.metadata?.["type"] === field ? [block.reasoning] : [],
  );
  return texts.length === 0 ? undefined : texts.join("");
}

/** Joins the deltas of streamed `reasoning_details`, because the signature of a text is for the whole text. */
function joinDetails(details: readonly JsonValue[]): JsonValue[] {
  const joined: JsonValue[] = [];
  let last: JsonObject = {};
  for (const detail of details) {
    if (isObject(detail) && continues(last, detail)) {
      extend(last, detail);
      continue;
    }
    last = isObject(detail) ? { ...detail } : {};
    joined.push(isObject(detail) ? last : detail);
  }
  return joined;
}

function continues(last: JsonObject, { type, index }: JsonObject): boolean {
  const isSigned = nonEmptyText(last["signature"]) !== undefined;
  return textKeys.has(type) && !isSigned && last["type"] === type && last["index"] === index;
}

function extend(last: JsonObject, detail: JsonObject): void {
  const key = textKeys.get(detail["type"]);
  for (const [name, value] of Object.entries(plainFields(detail) ?? {}))
    setMember(last, name, name === key ? scalarText(last[name]) + scalarText(value) : value);
}

/** The field of a detail that is streamed, by type. Encrypted details arrive whole. */
const textKeys: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

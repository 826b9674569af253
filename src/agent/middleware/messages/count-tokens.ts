import type { Message } from "../../../messages/message.js";
import { jsonText } from "../../../text/json-text.js";
import { madeOnce } from "../../../tree/made-once.js";

/** Counts the tokens of a message. */
export type CountTokens = (message: Message) => number;

/** Counts each message once. Without a function, estimates one token for every four characters, without media. */
export function tokenCounter(countTokens: CountTokens = estimateTokens): CountTokens {
  return madeOnce(countTokens);
}

export function tokensIn(messages: readonly Message[], tokensOf: CountTokens): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

function estimateTokens({ content }: Message): number {
  // A member of arguments may have any name.
  const texts = content.map((block) => jsonText(block, "args" in block ? {} : { omit: isMedium }).text);
  return Math.ceil(`[${texts.join()}]`.length / 4);
}

function isMedium(key: string, value: unknown): boolean {
  return key === "data" || (key === "url" && typeof value === "string" && /^data:/i.test(value));
}

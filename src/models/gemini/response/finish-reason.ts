import type { FinishReason } from "../../../messages/finish-reason.js";

/**
 * Maps Gemini's finish reason. Returns `undefined` for `FINISH_REASON_UNSPECIFIED`.
 *
 * @param called whether the message has a function call: Gemini sends `STOP` then too
 */
export function mapFinishReason(word: string, called: boolean): FinishReason | undefined {
  if (word === "" || word === "FINISH_REASON_UNSPECIFIED") return undefined;
  const reason = words.get(word) ?? "other";
  return reason === "stop" && called ? "tool_calls" : reason;
}

const words: ReadonlyMap<string, FinishReason> = new Map([
  ["STOP", "stop"],
  ["FUNCTION_CALL", "tool_calls"], // some gateways
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["MODEL_ARMOR", "content_filter"],
  ["IMAGE_SAFETY", "content_filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content_filter"],
  ["IMAGE_RECITATION", "content_filter"],
  ["MALFORMED_FUNCTION_CALL", "error"],
  ["MALFORMED_RESPONSE", "error"],
  ["MISSING_THOUGHT_SIGNATURE", "error"],
  ["UNEXPECTED_TOOL_CALL", "error"],
  ["TOO_MANY_TOOL_CALLS", "error"],
]);

import type { FinishReason } from "../../messages/finish-reason.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * The words of all providers. One table serves all decoders, because gateways pass on words of other providers. Words
 * that are not in it become `other`: `OTHER` of Gemini and `unload` of Ollama, for example, do not say that the answer
 * failed.
 */
const wordsOf: Readonly<Record<Exclude<FinishReason, "other">, string>> = {
  stop: "stop end_turn stop_sequence eos eos_token complete completed",
  length: `
    length max_tokens max_output_tokens continuation
    model_length model_context_window_exceeded
  `,
  tool_calls: "tool_calls tool_call function_call tool_use",
  pause: "pause_turn compaction",
  content_filter: `
    content_filter content_filtered refusal safety sensitive recitation blocklist prohibited_content spii model_armor
    image_safety image_prohibited_content image_recitation guardrail_intervened
  `,
  error: `
    error failed network_error insufficient_system_resource abort
    malformed_function_call malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature
    malformed_tool_use malformed_model_output
  `,
};

const reasons: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(wordsOf).flatMap(([reason, words]) =>
    wordsIn(words).map((word) => [word, reason as FinishReason] as const),
  ),
);

/**
 * Maps a finish reason of any provider, in upper or lower case, with `_` or `-`.
 *
 * @param called whether the message calls a tool, for providers that end it like a text
 */
export function mapFinishReason(word: string, called = false): FinishReason {
  const reason = reasons.get(word.toLowerCase().replaceAll("-", "_")) ?? "other";
  return reason === "stop" && called ? "tool_calls" : reason;
}

import type { FinishReason } from "../../messages/finish-reason.js";
import { tableOf } from "../../text/words-in.js";

/**
 * The words of all providers. One table serves all decoders, because gateways pass on words of other providers. Words
 * that are not in it become `other`: `OTHER` of Gemini and `unload` of Ollama, for example, do not say that the answer
 * failed.
 */
const reasons = tableOf<FinishReason>({
  "stop end end_turn end_of_text stop_sequence stop_token eos eos_token complete completed": "stop",
  "done finish finished": "stop",
  "length max_tokens max_output_tokens max_new_tokens max_completion_tokens max_length length_limit":
    "length",
  "token_limit max_tokens_reached token_limit_reached continuation": "length",
  "model_length model_context_window_exceeded context_window_exceeded context_length_exceeded": "length",
  "tool_calls tool_call function_call tool_use": "tool_calls",
  "pause_turn compaction": "pause",
  "content_filter content_filtered refusal safety sensitive recitation blocklist prohibited_content":
    "content_filter",
  "spii model_armor image_safety image_prohibited_content image_recitation": "content_filter",
  guardrail_intervened: "content_filter",
  "error failed network_error server_error internal_error upstream_error provider_error engine_error":
    "error",
  "timeout insufficient_system_resource abort aborted cancelled canceled": "error",
  "malformed_function_call malformed_response unexpected_tool_call too_many_tool_calls": "error",
  "missing_thought_signature malformed_tool_use malformed_model_output": "error",
});

/**
 * Maps a finish reason of any provider, however it is written: `max_tokens`, `MAX_TOKENS`, `max-tokens`, `maxTokens`,
 * `FinishReason.MAX_TOKENS`.
 *
 * @param called whether the message calls a tool, for providers that end it like a text
 */
export function mapFinishReason(word: string, called = false): FinishReason {
  const reason = reasons.get(plainWord(word)) ?? "other";
  return reason === "stop" && called ? "tool_calls" : reason;
}

/** The word as the table has it. Gateways pass on words as their language prints them. */
function plainWord(word: string): string {
  return word
    .trim()
    .replace(/^(?:finish|stop)[_ ]?reason[._ :]+/i, "")
    .replace(/(?<=[a-z])(?=[A-Z])|[- ]/g, "_")
    .toLowerCase();
}

import type { FinishReason } from "../../../messages/finish-reason.js";

/**
 * Anthropic's word in our vocabulary. `pause_turn` (a server tool takes long: send the message back, and the model goes
 * on) and `compaction` are no end of an answer, and so `other`.
 */
export function finishReasonOf(word: string): FinishReason {
  return words.get(word) ?? "other";
}

const words: ReadonlyMap<string, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
]);

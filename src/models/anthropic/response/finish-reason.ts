import type { FinishReason } from "../../../messages/finish-reason.js";

/**
 * Maps Anthropic's stop reason. `pause_turn` (a server tool takes long: send the message back to continue) and
 * `compaction` do not end an answer, so they become `other`.
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

import type { FinishReason } from "../../messages/finish-reason.js";

/**
 * Ollama's word in our vocabulary.
 *
 * @param word older servers give none
 * @param called the message has a tool call: Ollama says `stop` then too
 */
export function finishReasonOf(word: string | undefined, called: boolean): FinishReason {
  switch (word) {
    case undefined:
    case "stop":
    case "tool_calls":
      return called ? "tool_calls" : "stop";
    case "length":
      return "length";
    default:
      return "other"; // "load" and "unload": nothing was asked
  }
}

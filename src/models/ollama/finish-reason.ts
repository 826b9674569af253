import type { FinishReason } from "../../messages/finish-reason.js";

/**
 * Maps Ollama's done reason.
 *
 * @param word absent from older servers
 * @param called whether the message has a tool call: Ollama sends `stop` then too
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

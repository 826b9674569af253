import type { FinishReason } from "../../../messages/finish-reason.js";

/** The word of an OpenAI-compatible server in our vocabulary. */
export function mapFinishReason(word: string): FinishReason {
  return words.get(word) ?? "other";
}

const words: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["eos", "stop"], // Together
  ["length", "length"],
  ["model_length", "length"], // Mistral: the context is full
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["error", "error"], // Mistral, OpenRouter
  ["insufficient_system_resource", "error"], // DeepSeek
]);

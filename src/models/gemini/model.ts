import type { ChatModel } from "../contract/chat-model.js";
import { checkModelName, providerModel } from "../http/provider-model.js";
import { geminiWire } from "./decoder.js";
import { geminiEndpoint } from "./endpoint.js";
import type { GeminiExtra, GeminiOptions } from "./options.js";
import { geminiProfile } from "./profile.js";
import { geminiRequest } from "./request.js";

/**
 * Creates a Gemini model of the Gemini API or of Vertex AI (`baseURL`).
 *
 * @throws {ModelError} at once: `no_model`, or `invalid_request` for an invalid `baseURL` or header. From the stream:
 *   `no_key`, `no_prompt` and the other codes of `ModelErrorCode`.
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { gemini } from "millrace/gemini";
 *
 * // In place of a server, so that the example runs anywhere.
 * const fetch = async () =>
 *   new Response('data: {"candidates": [{"content": {"parts": [{"text": "4"}]}, "finishReason": "STOP"}]}\n\n');
 *
 * const model = gemini({ model: "gemini-3.8-flash", apiKey: "an example", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function gemini(options: GeminiOptions): ChatModel<GeminiExtra> {
  checkModelName(options, "gemini", "gemini-3.8-flash");
  const { model } = options;
  return providerModel(options, {
    name: "gemini",
    toolForm: "gemini",
    profile: geminiProfile(model),
    endpoint: (variable) => geminiEndpoint(options, variable),
    request: (messages, call) => geminiRequest(model, messages, call),
    wire: geminiWire,
  });
}

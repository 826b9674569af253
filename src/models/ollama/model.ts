import type { ChatModel } from "../contract/chat-model.js";
import { checkModelName, providerModel } from "../http/provider-model.js";
import { ollamaWire } from "./decoder.js";
import { ollamaEndpoint } from "./endpoint.js";
import type { OllamaExtra, OllamaOptions } from "./options.js";
import { ollamaProfile } from "./profile.js";
import { ollamaRequest } from "./request.js";

/**
 * Creates a model on an Ollama server, using Ollama's own API (`/api/chat`).
 *
 * @throws {ModelError} at once: `no_model`, or `invalid_request` for an invalid `baseURL` or header. From the stream:
 *   `no_prompt` and the other codes of `ModelErrorCode`.
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { ollama } from "millrace/ollama";
 *
 * // In place of a server, so that the example runs anywhere.
 * const fetch = async () =>
 *   new Response('{"message": {"content": "4"}, "done": false}\n{"done": true, "done_reason": "stop"}\n');
 *
 * const model = ollama({ model: "llama3.2", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function ollama(options: OllamaOptions): ChatModel<OllamaExtra> {
  checkModelName(options, "ollama", "llama3.2");
  const { model } = options;
  return providerModel(options, {
    name: "ollama",
    profile: ollamaProfile(model),
    endpoint: (variable) => ollamaEndpoint(options, variable),
    request: (messages, call) => ollamaRequest(model, messages, call),
    wire: ollamaWire,
  });
}

import type { ChatModel } from "../contract/chat-model.js";
import { checkModelName, providerModel } from "../http/provider-model.js";
import { anthropicWire } from "./decoder.js";
import { anthropicEndpoint } from "./endpoint.js";
import type { AnthropicExtra, AnthropicOptions } from "./options.js";
import { anthropicProfile } from "./profile.js";
import { messagesRequest } from "./request.js";

/**
 * Creates a model of Anthropic's Messages API, or of a compatible server (`baseURL`).
 *
 * @throws {ModelError} at once: `no_model`, or `invalid_request` for an invalid `baseURL` or header. From the stream:
 *   `no_key`, `no_prompt` and the other codes of `ModelErrorCode`.
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { anthropic } from "millrace/anthropic";
 *
 * // In place of a server, so that the example runs anywhere.
 * const events = [
 *   { type: "message_start", message: { id: "msg_1", content: [] } },
 *   { type: "content_block_start", index: 0, content_block: { type: "text", text: "4" } },
 *   { type: "message_delta", delta: { stop_reason: "end_turn" } },
 *   { type: "message_stop" },
 * ];
 * const fetch = async () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
 *
 * const model = anthropic({ model: "claude-haiku-4-5", apiKey: "an example", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function anthropic(options: AnthropicOptions): ChatModel<AnthropicExtra> {
  checkModelName(options, "anthropic", "claude-haiku-4-5");
  const { model } = options;
  const profile = anthropicProfile(model);
  const { maxOutputTokens } = { ...profile, ...options.profile };
  return providerModel(options, {
    name: "anthropic",
    toolForm: "anthropic",
    ownOptions: { version: true, betas: true },
    profile,
    endpoint: (variable) => anthropicEndpoint(options, variable),
    request: (messages, call) => messagesRequest(model, maxOutputTokens, messages, call),
    wire: anthropicWire,
  });
}

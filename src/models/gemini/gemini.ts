import { compose } from "../../stream/compose.js";
import type { ChatModel } from "../contract/chat-model.js";
import { checkModelName, providerModel } from "../http/provider-model.js";
import { decodeSse } from "../wire/sse.js";
import { decodeGemini } from "./response/decode-gemini.js";
import { geminiEndpoint } from "./endpoint.js";
import type { GeminiExtra, GeminiOptions } from "./options.js";
import { geminiProfile } from "./profile.js";
import { geminiRequest } from "./request/request.js";

/**
 * A Gemini model: of the Gemini API, or of Vertex AI (`baseURL`).
 *
 * @throws {ModelError} at once: `no_model`, `no_key`, `invalid_request` for a `baseURL` or a header that cannot be. From
 *   the stream: `no_prompt`, and all that can happen on the way (`ModelErrorCode`)
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
 * const model = gemini({ model: "gemini-2.5-flash", apiKey: "an example", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function gemini(options: GeminiOptions): ChatModel<GeminiExtra> {
  const { model } = options;
  checkModelName(model, "gemini", "gemini-2.5-flash");
  return providerModel(options, {
    name: "gemini",
    profile: geminiProfile(model),
    endpoint: geminiEndpoint(options),
    request: (messages, call) => geminiRequest(model, messages, call),
    // No end marker says that nothing but the end of the body is to come.
    decode: () => compose(decodeSse(), decodeGemini()),
  });
}

import type { MessageChunk } from "../../messages/chunk.js";
import { toMessages } from "../../messages/to-messages.js";
import { systemClock } from "../../stream/clock.js";
import { pipe } from "../../stream/pipe.js";
import { tap } from "../../stream/tap.js";
import type { ChatModel } from "../chat-model.js";
import { ModelError } from "../errors.js";
import { type Fetch, postForStream } from "../http.js";
import { modelStream, type RequestNotes } from "../model-stream.js";
import { defaultRetries } from "../provider-options.js";
import { decodeSse, type SseEvent } from "../sse.js";
import { endMarker } from "./chat-payload.js";
import { chatRequest } from "./chat-request.js";
import { decodeOpenAIChat } from "./decode-chat.js";
import { endpointOf } from "./endpoint.js";
import type { OpenAIOptions } from "./options.js";
import { profileOf } from "./profile.js";
import { readProviderError } from "./provider-error.js";

/**
 * A model of OpenAI's Chat Completions, or of any server that speaks the same (`baseURL`): Groq, DeepSeek, Mistral, xAI,
 * OpenRouter, vLLM, Ollama and many more.
 *
 * @throws {ModelError} at once: `no_model`, `no_key`, `invalid_request` for a `baseURL` or a header that cannot be. From
 *   the stream: `no_prompt`, and all that can happen on the way (`ModelErrorCode`)
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { openai } from "millrace/openai";
 *
 * // In place of a server, so that the example runs anywhere.
 * const fetch = async () =>
 *   new Response('data: {"choices": [{"delta": {"content": "4"}, "finish_reason": "stop"}]}\n\n');
 *
 * const model = openai({ model: "gpt-5-mini", apiKey: "an example", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function openai(options: OpenAIOptions): ChatModel {
  const { model, retries = defaultRetries, clock = systemClock, random = Math.random } = options;
  if (typeof model !== "string" || model.trim() === "") {
    throw new ModelError(
      "no_model",
      'openai() needs the name of a model, as in openai({ model: "gpt-5-mini" }).',
    );
  }
  const { url, headers, secrets, official } = endpointOf(options);
  // Looked up with each request: tests and frameworks replace the global one.
  const fetch: Fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init));

  return {
    provider: "openai",
    model,
    profile: { ...profileOf(model), ...options.profile },
    stream(input, call = {}) {
      const open = async (signal: AbortSignal, notes: RequestNotes): Promise<AsyncIterable<MessageChunk>> => {
        const messages = toMessages(input);
        if (messages.every((message) => message.content.length === 0)) {
          throw new ModelError("no_prompt", "There is nothing to ask: no message has any content.");
        }
        const body = JSON.stringify(chatRequest(model, messages, call, official));
        const request = { fetch, url, headers, body, signal, clock, readError: readProviderError };
        const answer = await postForStream(request);
        notes.requestId = answer.requestId;
        const watchEnd = tap<SseEvent>(({ data }) => {
          if (data === endMarker) answer.expectEnd();
        });
        return pipe(answer, decodeSse(), watchEnd, decodeOpenAIChat());
      };
      const timeouts = { ...options.timeouts, ...call.timeouts };
      return modelStream(open, { signal: call.signal, timeouts, retries, clock, random, secrets });
    },
  };
}

import type { ChatModel } from "../contract/chat-model.js";
import { checkModelName, providerModel } from "../http/provider-model.js";
import { toChatRequest } from "./chat/request.js";
import { chatWire } from "./chat/decoder.js";
import { responsesWire } from "./responses/decoder.js";
import { openAIEndpoint } from "./endpoint.js";
import type { OpenAIExtra, OpenAIOptions } from "./options.js";
import { openAIProfile } from "./profile.js";
import { toResponsesRequest } from "./responses/request.js";
import { checkServer, isLocal, serverProfile, toLocalCall } from "./request/servers.js";
import { schemasOf, systemRoleOf } from "./request/request-parts.js";

/**
 * Creates a model that uses OpenAI's Chat Completions, or any compatible server (`baseURL`): Groq, DeepSeek, Mistral,
 * xAI, OpenRouter, vLLM, Ollama and many more. With `api: "responses"` it uses OpenAI's Responses API.
 *
 * @throws {ModelError} immediately: `no_model`, `invalid_request` for an invalid `baseURL` or header. From the stream:
 *   `no_key`, `no_prompt` and the errors of a request (`ModelErrorCode`)
 *
 * @example
 * ```ts
 * import { last, mergeChunks, pipe, textOf } from "millrace";
 * import { openai } from "millrace/openai";
 *
 * // Replaces the server, so that the example runs anywhere.
 * const fetch = async () =>
 *   new Response('data: {"choices": [{"delta": {"content": "4"}, "finish_reason": "stop"}]}\n\n');
 *
 * const model = openai({ model: "gpt-6.1-terra", apiKey: "an example", fetch });
 * const message = await last(pipe(model.stream("2 + 2?"), mergeChunks()));
 * console.log(message && textOf(message)); // "4"
 * ```
 */
export function openai(options: OpenAIOptions): ChatModel<OpenAIExtra> {
  checkModelName(options, "openai", "gpt-6.1-terra");
  const { model, api = "chat" } = options;
  checkServer(options.server);
  const path = api === "chat" ? "/chat/completions" : "/responses";
  const { server, family = model } = options;
  const profile = { ...openAIProfile(family), ...serverProfile(server, api) };
  const reasons = options.profile?.reasoning ?? profile.reasoning;
  return providerModel(options, {
    name: "openai",
    toolForm: "openai",
    ownOptions: {
      api: true,
      organization: true,
      project: true,
      server: true,
      family: true,
      apiVersion: true,
    },
    profile,
    endpoint: (variable) => openAIEndpoint(options, path, variable),
    request: async (messages, asked, { rules }) => {
      const systemRole = systemRoleOf(rules.official, reasons);
      const call = isLocal(server) ? toLocalCall(asked, server, api) : asked;
      const dialects = await schemasOf(server);
      const toRequest = api === "chat" ? toChatRequest : toResponsesRequest;
      return toRequest({ model, messages, call, rules, systemRole, dialects });
    },
    wire: api === "chat" ? chatWire : responsesWire,
  });
}

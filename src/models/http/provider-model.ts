import type { JsonObject } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { toMessages } from "../../messages/to-messages.js";
import { systemClock } from "../../stream/time/clock.js";
import type { Operator } from "../../stream/operator.js";
import type { CallOptions, ChatModel, ModelProfile } from "../contract/chat-model.js";
import type { Endpoint } from "./endpoint.js";
import { ModelError } from "../contract/errors.js";
import { type Fetch, postForStream } from "./http.js";
import { modelStream, type RequestNotes } from "./model-stream.js";
import { defaultMaxRetries, type ProviderOptions } from "../contract/provider-options.js";

/** What is particular to a provider. All else is the same for each. */
export interface ProviderAdapter {
  /** Such as `openai`. */
  readonly name: string;
  readonly profile: ModelProfile;
  readonly endpoint: Endpoint;
  /** What is asked, in the provider's form. */
  request(messages: readonly Message[], call: CallOptions): JsonObject;
  /** @param ended to be called when nothing but the end of the HTTP body is to come */
  decode(ended: () => void): Operator<Uint8Array, MessageChunk>;
}

/** The model of a provider, that asks over HTTP. */
export function providerModel<Extra>(options: ProviderOptions, provider: ProviderAdapter): ChatModel<Extra> {
  const { model, maxRetries = defaultMaxRetries, clock = systemClock, random = Math.random } = options;
  const { url, headers, secrets } = provider.endpoint;
  // Looked up with each request: tests and frameworks replace the global one.
  const fetch: Fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init));

  return {
    provider: provider.name,
    model,
    profile: { ...provider.profile, ...options.profile },
    stream(input, call = {}) {
      const open = async (signal: AbortSignal, notes: RequestNotes): Promise<AsyncIterable<MessageChunk>> => {
        const messages = toMessages(input);
        if (messages.every((message) => message.content.length === 0)) {
          throw new ModelError("no_prompt", "There is nothing to ask: no message has any content.");
        }
        const body = JSON.stringify(provider.request(messages, call as CallOptions));
        const answer = await postForStream({ fetch, url, headers, body, signal, clock });
        notes.requestId = answer.requestId;
        return provider.decode(() => {
          answer.expectEnd();
        })(answer);
      };
      const timeouts = { ...options.timeouts, ...call.timeouts };
      return modelStream(open, { signal: call.signal, timeouts, maxRetries, clock, random, secrets });
    },
  };
}

/** @throws {ModelError} `no_model` if there is no name */
export function checkModelName(model: unknown, factory: string, example: string): void {
  if (typeof model === "string" && model.trim() !== "") return;
  throw new ModelError(
    "no_model",
    `${factory}() needs the name of a model, as in ${factory}({ model: "${example}" }).`,
  );
}

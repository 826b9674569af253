import type { MessageChunk } from "../../messages/chunk.js";
import { isInstance } from "../../text/thrown.js";
import { wellFormedJson } from "../../text/json-text.js";
import { Redactor } from "../../text/redactor.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { ChatModel, ModelProfile } from "../contract/chat-model.js";
import { ModelError } from "../contract/errors.js";
import { mapError } from "../http/model-stream.js";
import {
  type ModelRequest,
  type Requester,
  requestingModel,
  type RequestingOptions,
} from "../http/requesting-model.js";
import { bridgeError } from "./bridge-error.js";

/** The options of a model that another library sends requests for. */
export type BridgeOptions = RequestingOptions;

// prettier-ignore
const optionNames = {
  profile: true, maxRetries: true, timeouts: true, createId: true, clock: true, random: true,
} satisfies OptionNames<BridgeOptions>;

/** The parts of a bridge that differ between the libraries. */
export interface Bridge extends Omit<Requester, "open" | "redactor"> {
  readonly factory: string;
  /**
   * Sends one request.
   *
   * @param received must be called for each item that arrives
   */
  open(request: ModelRequest, received: () => void): Promise<AsyncIterable<MessageChunk>>;
}

/** A model with the retries, timeouts and errors of this package, whose requests another library sends. */
export function bridgedModel<Extra>(options: BridgeOptions, bridge: Bridge): ChatModel<Extra> {
  checkOptions(bridge.factory, options, optionNames);
  const { provider, model, profile } = bridge;
  const map = (error: unknown, begun: boolean): ModelError =>
    isInstance(error, ModelError) ? error : bridgeError(error, provider, begun);
  return requestingModel<Extra>(options, {
    provider,
    model,
    profile,
    redactor: () => noSecrets,
    async open(request) {
      try {
        const chunks = await bridge.open(wellFormed(request), () => {
          request.notes.onBytes();
        });
        return mapError(chunks, (error) => map(error, true));
      } catch (error) {
        throw map(error, false);
      }
    },
  });
}

/** The request without half a surrogate pair, as our own requests are. */
function wellFormed(request: ModelRequest): ModelRequest {
  const { tools, responseFormat, extra, stop } = request.call;
  const text = JSON.stringify({ messages: request.messages, call: { tools, responseFormat, extra, stop } });
  const written = wellFormedJson(text);
  if (written === text) return request;
  const { messages, call } = JSON.parse(written) as Pick<ModelRequest, "messages" | "call">;
  return { ...request, messages, call: { ...request.call, ...call } };
}

/** The abilities of a model of which nothing is known. */
export const unknownProfile: ModelProfile = {
  structuredOutput: false,
  toolCalling: true,
  reasoning: false,
  input: ["text", "image", "audio", "video", "file"],
  output: ["text"],
};

/** The library has the keys; this package does not know them. */
const noSecrets = new Redactor([]);

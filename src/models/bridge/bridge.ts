import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { isInstance } from "../../text/thrown.js";
import { Redactor } from "../../text/redactor.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { ChatModel, ModelProfile } from "../contract/chat-model.js";
import { invalidRequest, ModelError, unwritableRequest } from "../contract/errors.js";
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

export interface Bridge extends Omit<Requester, "open" | "redactor"> {
  readonly factory: string;
  /** @param received must be called for each item that arrives */
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
      const { tools = [], toolChoice = "auto" } = request.call;
      // The packages drop a choice without tools, and the model would answer with a text.
      if (tools.length === 0 && toolChoice !== "auto" && toolChoice !== "none")
        throw invalidRequest(
          `${provider}: toolChoice forces a call, but there are no tools. Pass tools, or no toolChoice.`,
        );
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

/**
 * The request without half a surrogate pair, as our own requests are.
 *
 * @throws {ModelError} `invalid_request` if it is nested too deeply, or in itself
 */
function wellFormed(request: ModelRequest): ModelRequest {
  try {
    const messages = request.messages.map((message) => {
      const written = checked.has(message) ? message : wellFormedData(message);
      checked.add(written);
      return written;
    });
    const { signal, ...call } = request.call;
    return { ...request, messages, call: { ...wellFormedData(call), ...(signal && { signal }) } };
  } catch (cause) {
    throw isInstance(cause, RangeError) ? unwritableRequest(cause) : cause;
  }
}

/** The messages without such a half, because the next request of the conversation has them again. */
const checked = new WeakSet<Message>();

/** The data with U+FFFD for half a surrogate pair, also in a key. Data that has none stays the same object. */
function wellFormedData<T>(data: T): T {
  if (typeof data === "string") return data.replace(/\p{Surrogate}/gu, "\ufffd") as T;
  if (typeof data !== "object" || data === null) return data;
  const entries = Object.entries(data);
  const written = entries.map(([key, value]) => [wellFormedData(key), wellFormedData(value as unknown)]);
  if (written.every(([key, value], at) => key === entries[at]?.[0] && value === entries[at]?.[1]))
    return data;
  return (Array.isArray(data) ? written.map(([, value]) => value) : Object.fromEntries(written)) as T;
}

export const unknownProfile: ModelProfile = {
  structuredOutput: false,
  toolCalling: true,
  reasoning: false,
  input: ["text", "image", "audio", "video", "file"],
  output: ["text"],
};

/** The library has the keys; this package does not know them. */
const noSecrets = new Redactor([]);

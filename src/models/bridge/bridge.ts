import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { toMessages } from "../../messages/to-messages.js";
import { systemClock } from "../../stream/time/clock.js";
import { isInstance } from "../../text/thrown.js";
import { Redactor } from "../../text/redactor.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { checkCallOptions, checkCommonOptions } from "../contract/check-call-options.js";
import type { CallOptions, ChatModel, ModelProfile } from "../contract/chat-model.js";
import { chatModel } from "../contract/create-chat-model.js";
import { ModelError } from "../contract/errors.js";
import { defaultMaxRetries, type ProviderOptions } from "../contract/provider-options.js";
import { answerStream, mapError } from "../http/model-stream.js";

/** The options of a model that another library sends requests for. */
export type BridgeOptions = Pick<ProviderOptions, "profile" | "maxRetries" | "timeouts" | "clock" | "random">;

// prettier-ignore
const optionNames = {
  profile: true, maxRetries: true, timeouts: true, clock: true, random: true,
} satisfies OptionNames<BridgeOptions>;

/** The parts of a bridge that differ between the libraries. */
export interface Bridge {
  readonly factory: string;
  readonly provider: string;
  readonly model: string;
  readonly profile: ModelProfile;
  /** Options of this bridge alone. */
  readonly ownOptions?: Readonly<Record<string, true>>;
  /**
   * Sends one request.
   *
   * @param received must be called for each item that arrives
   */
  open(request: BridgeRequest, received: () => void): Promise<AsyncIterable<MessageChunk>>;
  /** Maps an error of the library. @param begun whether the answer has begun */
  mapError(error: unknown, begun: boolean): ModelError;
}

export interface BridgeRequest {
  readonly messages: readonly Message[];
  readonly call: CallOptions;
  /** Aborted when the caller leaves the stream or aborts it. */
  readonly signal: AbortSignal;
}

/** A model with the retries, timeouts and errors of this package, whose requests another library sends. */
export function bridgedModel<Extra>(options: BridgeOptions, bridge: Bridge): ChatModel<Extra> {
  checkOptions(bridge.factory, options, { ...optionNames, ...bridge.ownOptions });
  checkCommonOptions(options);
  const { maxRetries = defaultMaxRetries, clock = systemClock, random = Math.random } = options;
  return chatModel<Extra>({
    provider: bridge.provider,
    model: bridge.model,
    profile: { ...bridge.profile, ...options.profile },
    stream(input, call = {}) {
      const timeouts = { ...options.timeouts, ...call.timeouts };
      const open = async (
        signal: AbortSignal,
        notes: { onBytes: () => void },
      ): Promise<AsyncIterable<MessageChunk>> => {
        checkCallOptions("A model call", call as CallOptions);
        const messages = toMessages(input);
        if (messages.every((message) => message.content.length === 0)) {
          throw new ModelError("no_prompt", "The prompt is empty: no message has any content.");
        }
        const request = { messages, call: call as CallOptions, signal };
        const map = (error: unknown, begun: boolean): ModelError =>
          isInstance(error, ModelError) ? error : bridge.mapError(error, begun);
        try {
          const chunks = await bridge.open(request, () => {
            notes.onBytes();
          });
          return mapError(chunks, (error) => map(error, true));
        } catch (error) {
          throw map(error, false);
        }
      };
      return answerStream(open, {
        signal: call.signal,
        timeouts,
        maxRetries: call.maxRetries ?? maxRetries,
        clock,
        random,
        redactor: () => noSecrets,
      });
    },
  });
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

import type { MessageChunk } from "../../messages/chunk.js";
import type { Message } from "../../messages/message.js";
import { toMessages } from "../../messages/to-messages.js";
import { systemClock } from "../../stream/time/clock.js";
import { randomId } from "../../text/bytes/hex.js";
import type { Redactor } from "../../text/redactor.js";
import { checkCallOptions, checkCommonOptions, checkServerTools } from "../contract/check-call-options.js";
import type { CallOptions, ChatModel, ModelProfile } from "../contract/chat-model.js";
import { chatModel } from "../contract/create-chat-model.js";
import { ModelError } from "../contract/errors.js";
import { defaultMaxRetries, type ProviderOptions } from "../contract/provider-options.js";
import { answerStream, type RequestNotes } from "./model-stream.js";

export type RequestingOptions = Pick<
  ProviderOptions,
  "profile" | "maxRetries" | "timeouts" | "createId" | "clock" | "random"
>;

/** What sends the requests of a model: one of our providers, or a model of another library. */
export interface Requester {
  readonly provider: string;
  readonly model: string;
  readonly profile: ModelProfile;
  /** The name of its form in the `forms` of a tool. Default: it runs no tools of its own. */
  readonly toolForm?: string | undefined;
  /** Returns what removes credentials from errors. Called when an error occurs. */
  redactor(): Redactor;
  open(request: ModelRequest): Promise<AsyncIterable<MessageChunk>>;
}

/** One request of a model. Some of its content is not empty. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** With the fields for providers of each tool in its `metadata`. */
  readonly call: CallOptions;
  /** Aborted when the caller leaves the stream or aborts it. */
  readonly signal: AbortSignal;
  readonly notes: RequestNotes;
}

export function requestingModel<Extra>(options: RequestingOptions, requester: Requester): ChatModel<Extra> {
  checkCommonOptions(options);
  const { maxRetries = defaultMaxRetries, clock = systemClock, random = Math.random } = options;
  const { createId = () => `msg_${randomId()}` } = options;
  return chatModel<Extra>({
    provider: requester.provider,
    model: requester.model,
    profile: { ...requester.profile, ...options.profile },
    stream(input, call = {}) {
      const open = async (signal: AbortSignal, notes: RequestNotes): Promise<AsyncIterable<MessageChunk>> => {
        checkCallOptions("A model call", call as CallOptions);
        checkServerTools(call as CallOptions, requester, requester.toolForm);
        const messages = toMessages(input);
        if (messages.every((message) => message.content.length === 0)) {
          throw new ModelError("no_prompt", "The prompt is empty: no message has any content.");
        }
        return requester.open({ messages, call: withExtras(call as CallOptions), signal, notes });
      };
      return answerStream(open, {
        signal: call.signal,
        timeouts: { ...options.timeouts, ...call.timeouts },
        maxRetries: call.maxRetries ?? maxRetries,
        createId,
        clock,
        random,
        redactor: () => requester.redactor(),
      });
    },
  });
}

/** A tool of `tool()` has `extras` for what a definition has as `metadata`. */
function withExtras(call: CallOptions): CallOptions {
  if (call.tools?.some(({ extras }) => extras !== undefined) !== true) return call;
  const tools = call.tools.map(({ extras, ...tool }) =>
    extras === undefined ? tool : { ...tool, metadata: { ...extras, ...tool.metadata } },
  );
  return { ...call, tools };
}

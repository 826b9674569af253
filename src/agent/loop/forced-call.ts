import type { MessageChunk } from "../../messages/chunk.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import type { CallOptions, ChatModel } from "../../models/contract/chat-model.js";
import { ModelError } from "../../models/contract/errors.js";
import { messageOf } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { madeOnce } from "../../tree/made-once.js";
import { askAgain } from "./ask-again.js";

/**
 * Calls a model that must call a tool. Many models cannot be forced while they think: Claude, DeepSeek, Kimi and Qwen
 * refuse such a request, and only the server knows whether a model thinks by default. So a request that is refused for
 * its `toolChoice` is sent once more without it. The next calls of the same model with the same thinking are not forced.
 */
export function streamForcedCall(
  model: ChatModel,
  input: MessagesInput,
  options: CallOptions,
): AsyncIterable<MessageChunk> {
  const forced = { ...options, toolChoice: "required" } as const;
  if (refusalsOf(model).has(thinkingIn(options))) return model.stream(input, options);
  return askAgain(
    model.stream(input, forced),
    (error) => (isAboutChoice(error) ? model.stream(input, options) : undefined),
    () => {
      const known = refusalsOf(model);
      if (known.size < maxRefusals) known.add(thinkingIn(options));
    },
  );
}

/** Some servers name the field only beside the message: `"param": "tool_choice"`. */
function isAboutChoice(error: unknown): boolean {
  const { status, excerpt = "" } = isInstance(error, ModelError) ? error : {};
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 429;
  return choiceName.test(messageOf(error)) || (isRefusal && choiceName.test(excerpt));
}

/** In the words of servers (`tool_choice`, Gemini's `function_calling_config`) and of our own errors (`toolChoice`). */
const choiceName = /tool[_ ]?choice|function[_ ]?calling[_ ]?config/i;

/** The thinking with which each model has refused a forced call. */
const refusalsOf = madeOnce((_model: ChatModel) => new Set<string>());
const maxRefusals = 100;

/** The settings of thinking in a call: a model that refuses to be forced with thinking may accept it without. */
function thinkingIn({ reasoning, extra = {} }: CallOptions): string {
  return JSON.stringify([reasoning, ...thinkingFields.map((name) => extra[name])]);
}

/** Fields of requests, by the names that servers use. */
const thinkingFields = [
  "thinking",
  "enable_thinking",
  "reasoning",
  "reasoning_effort",
  "chat_template_kwargs",
];

import { system as systemMessage } from "../messages/constructors.js";
import type { MessageChunk } from "../messages/chunk.js";
import { textOf } from "../messages/blocks/read.js";
import type { FinishReason } from "../messages/finish-reason.js";
import { MessageBuilder } from "../messages/merge/message-builder.js";
import type { AssistantMessage, Message, SystemMessage } from "../messages/message.js";
import { type MessagesInput, toMessages } from "../messages/to-messages.js";
import type { Usage } from "../messages/usage.js";
import { deferred, noop } from "../stream/core/result.js";
import { stage } from "../stream/core/stage.js";
import { abortable } from "../stream/operators/abortable.js";
import { type CallRecorder, sharedCall } from "../stream/shared-call.js";
import { fromPromise } from "../stream/sources/from-promise.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import { kindName } from "../text/kind-name.js";
import { callOptionNames, checkCallOptions } from "./contract/check-call-options.js";
import type { CallOptions, ChatModel } from "./contract/chat-model.js";
import { invalidRequest, ModelError } from "./contract/errors.js";
import { modelLoader } from "./init-model.js";

/** The options of `streamText()` and `generateText()`. */
export type StreamTextOptions = TextInput & {
  /** The model, or its name as for `initModel()`: `"anthropic:claude-haiku-4-5"`. */
  readonly model: ChatModel | string;
  /** Instructions sent before the messages. */
  readonly system?: string | SystemMessage;
  /** Options of the call, such as `temperature`. Tools are offered, but not run. */
  readonly callOptions?: Omit<CallOptions, "signal">;
  /** Ends the call with the signal's reason, and closes the connection to the model. */
  readonly signal?: AbortSignal | undefined;
};

/** The input of the model: a prompt or messages. */
export type TextInput =
  | {
      /** The text of one message of the user. */
      readonly prompt: string;
      readonly messages?: undefined;
    }
  | {
      /** The conversation. */
      readonly messages: MessagesInput;
      readonly prompt?: undefined;
    };

// prettier-ignore
const optionNames = {
  model: true, system: true, prompt: true, messages: true, callOptions: true, signal: true,
} satisfies OptionNames<StreamTextOptions>;

/** The names of agents and other libraries. */
const hints = {
  systemPrompt: 'Write "system".',
  abortSignal: 'Write "signal".',
  temperature: "Write callOptions: { temperature }.",
  tools: "Use createAgent(), which runs them.",
  schema: "Use streamObject().",
  output: "Use streamObject().",
};

function checkTextOptions(subject: string, options: StreamTextOptions): void {
  checkOptions(subject, options, optionNames, hints);
  const { signal: _signal, ...names } = callOptionNames;
  checkCallOptions("callOptions", options.callOptions, names);
}

/**
 * The text of one answer, and its results. Each iteration yields the pieces of the text as they arrive; one that begins
 * late first gets the text so far.
 *
 * Reading a result starts the call, and runs it to its end unless an iteration reads it. The results reject if the call
 * fails, or if the last iteration leaves early, which stops the model.
 */
export interface TextStream extends AsyncIterable<string> {
  /** The whole text. */
  readonly final: Promise<string>;
  /** The whole answer, with reasoning and calls of tools. */
  readonly message: Promise<AssistantMessage>;
  /** The conversation with the answer, without the system prompt: the `messages` of the next call. */
  readonly messages: Promise<readonly Message[]>;
  /** Why the model stopped. `length`: the text is cut. */
  readonly finishReason: Promise<FinishReason | undefined>;
  /** The tokens, if the model reports them. Resolves when the call has ended, also if it failed. */
  readonly usage: Promise<Usage | undefined>;
}

/**
 * Asks a model for a text and yields it while the model writes it: one request, without tools, steps or a schema. It is
 * the plain call. For tools use `createAgent()`, and for an object `streamObject()`.
 *
 * Nothing is sent before something reads the call. All readers share one request. The model retries a request that fails
 * before its first chunk; a stream that breaks later is an error, and its `partial` has the text so far.
 *
 * @throws {TypeError} for an unknown option
 * @throws {ModelError} `invalid_request` if neither `prompt` nor `messages` is set, or both; `no_model` without
 *   a model; `unknown_provider` if `model` is a name that does not show its provider
 *
 * @example
 * ```ts
 * import { streamText } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const answer = streamText({
 *   model: scriptedModel(["Tea is", " a drink."]), // or "openai:gpt-6.1-terra"
 *   system: "Be brief.",
 *   prompt: "What is tea?",
 * });
 * for await (const text of answer) console.log(text);
 * console.log(await answer.finishReason, (await answer.messages).length);
 * ```
 *
 * ```text prints
 * Tea is
 *  a drink.
 * stop 2
 * ```
 */
export function streamText(options: StreamTextOptions): TextStream {
  checkTextOptions("streamText()", options);
  const { model, system, prompt, messages, callOptions, signal } = options;
  const input = prompt ?? messages;
  if (input === undefined || (prompt !== undefined && messages !== undefined))
    throw invalidRequest("Expected either prompt or messages. Set one of the two.");
  if (typeof model !== "string" && typeof (model as Partial<ChatModel> | undefined)?.stream !== "function")
    throw new ModelError(
      "no_model",
      `Expected a model, such as "openai:gpt-6.1-terra", but got ${kindName(model)}.`,
    );
  const conversation = toMessages(input);
  const instructions = typeof system === "string" ? systemMessage(system) : system;
  const sent = instructions === undefined ? conversation : [instructions, ...conversation];
  const load = modelLoader(model);
  const chunks: AsyncIterable<MessageChunk> = {
    [Symbol.asyncIterator]: () =>
      fromPromise(Promise.resolve(load()), (loaded) => loaded.stream(sent, { ...callOptions, signal }))[
        Symbol.asyncIterator
      ](),
  };
  return new TextAnswer(
    signal === undefined ? chunks : abortable<MessageChunk>(signal)(chunks),
    conversation,
  );
}

class TextAnswer implements TextStream {
  readonly #record = new TextRecord();
  readonly #conversation: readonly Message[];
  readonly #texts: AsyncIterable<string>;
  readonly #run: () => Promise<void>;

  constructor(chunks: AsyncIterable<MessageChunk>, conversation: readonly Message[]) {
    const record = this.#record;
    const { items, run } = sharedCall(chunks, record);
    this.#conversation = conversation;
    this.#run = run;
    this.#texts = stage<WrittenText, string>((emit) => {
      const begun = record.text;
      if (begun !== "") emit(begun);
      return {
        next: ({ text, end }) => {
          if (text !== "" && end > begun.length) emit(text);
        },
        end: () => {
          if (record.failure !== undefined) throw record.failure.error;
        },
      };
    })(items);
  }

  get final(): Promise<string> {
    return this.message.then(textOf);
  }

  get message(): Promise<AssistantMessage> {
    return this.#started(this.#record.message);
  }

  get messages(): Promise<readonly Message[]> {
    return this.message.then((message) => [...this.#conversation, message]);
  }

  get finishReason(): Promise<FinishReason | undefined> {
    return this.message.then(({ finishReason }) => finishReason);
  }

  get usage(): Promise<Usage | undefined> {
    return this.#started(this.#record.usage);
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#texts[Symbol.asyncIterator]();
  }

  #started<T>(result: Promise<T>): Promise<T> {
    this.#run().catch(noop); // reported by the results
    return result;
  }
}

interface WrittenText {
  readonly text: string;
  readonly end: number;
}

class TextRecord implements CallRecorder<MessageChunk, WrittenText> {
  private readonly ending = deferred<AssistantMessage>();
  readonly message: Promise<AssistantMessage> = this.ending.promise;
  readonly usage: Promise<Usage | undefined>;
  /** Why there is no more text; `undefined` if there is, or if it is complete. */
  failure: { readonly error: unknown } | undefined;
  private readonly builder = new MessageBuilder();
  private length = 0;

  constructor() {
    const usageSoFar = (): Usage | undefined => this.builder.snapshot().usage;
    this.usage = this.message.then(usageSoFar, usageSoFar);
  }

  get text(): string {
    return textOf(this.builder.snapshot());
  }

  add(chunk: MessageChunk): WrittenText {
    this.builder.add(chunk);
    const text = textOf(chunk);
    return { text, end: (this.length += text.length) };
  }

  end(): void {
    this.builder.end();
    this.ending.resolve(this.builder.snapshot());
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.ending.reject(error);
  }

  leave(): void {
    this.fail(new DOMException("The reader of the text left before its end.", "AbortError"));
  }
}

/** The result of `generateText()`. */
export interface GeneratedText {
  /** The whole text. */
  readonly text: string;
  /** The whole answer, with reasoning and calls of tools. */
  readonly message: AssistantMessage;
  /** The conversation with the answer, without the system prompt: the `messages` of the next call. */
  readonly messages: readonly Message[];
  /** Why the model stopped. `length`: the text is cut. */
  readonly finishReason: FinishReason | undefined;
  /** The tokens, if the model reports them. */
  readonly usage: Usage | undefined;
}

/**
 * Asks a model for a text and waits for it. It is `streamText()` read to its end, and has its errors.
 *
 * @example
 * ```ts
 * import { generateText } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(({ messages }) => [`Message ${messages.length}.`]); // or "openai:gpt-6.1-terra"
 * const first = await generateText({ model, prompt: "Hi" });
 * const second = await generateText({ model, messages: [...first.messages, "And now?"] });
 * console.log(first.text, second.text); // "Message 1." "Message 3."
 * ```
 */
export async function generateText(options: StreamTextOptions): Promise<GeneratedText> {
  checkTextOptions("generateText()", options);
  const stream = streamText(options);
  const message = await stream.message;
  const { finishReason, usage } = message;
  return { text: textOf(message), message, messages: await stream.messages, finishReason, usage };
}

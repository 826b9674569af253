import { describe, expect, test } from "vitest";
import {
  type AiSdkPart,
  type ChatModel,
  from,
  fromAiSdk,
  fromLangChain,
  type LangChainChunk,
  mergeChunks,
  type MessageChunk,
  ModelError,
  pipe,
  last,
  textOf,
} from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { everyWay, fixedSizes } from "millrace/testing";
import { responseOf } from "../../support/provider-events.js";
import { noTime } from "../../agent/support/no-time.js";
import { outcomeOf } from "../support/models.js";

type Fetch = () => Promise<Response>;

/** An API whose answer ends with a word. */
interface Api {
  readonly name: string;
  /** The body of an answer with this text. Without a text, the answer has only its end. */
  readonly body: (word: string, text?: string) => string;
  readonly model: (fetch: Fetch) => ChatModel;
}

const events = (...payloads: readonly object[]): string =>
  payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("");
const lines = (...payloads: readonly object[]): string =>
  payloads.map((payload) => `${JSON.stringify(payload)}\n`).join("");
const when = (text: string | undefined, ...payloads: readonly object[]): readonly object[] =>
  text === undefined ? [] : payloads;
const common = {
  apiKey: "sk-example",
  clock: noTime,
  random: () => 0,
  timeouts: { firstToken: Infinity, idle: Infinity },
};

const apis: readonly Api[] = [
  {
    name: "Chat Completions",
    body: (word, text) =>
      events(...when(text, { choices: [{ index: 0, delta: { content: text } }] }), {
        choices: [{ index: 0, delta: {}, finish_reason: word }],
      }),
    model: (fetch) => openai({ model: "m", fetch, ...common }),
  },
  {
    name: "Responses",
    body: (word, text) =>
      events(
        ...when(text, { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: text }),
        {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: word } },
        },
      ),
    model: (fetch) => openai({ model: "m", api: "responses", fetch, ...common }),
  },
  {
    name: "Anthropic",
    body: (word, text) =>
      events(
        { type: "message_start", message: { content: [] } },
        ...when(
          text,
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
          { type: "content_block_stop", index: 0 },
        ),
        { type: "message_delta", delta: { stop_reason: word } },
        { type: "message_stop" },
      ),
    model: (fetch) => anthropic({ model: "m", fetch, ...common }),
  },
  {
    name: "Gemini",
    body: (word, text) =>
      events(...when(text, { candidates: [{ content: { parts: [{ text }] } }] }), {
        candidates: [{ finishReason: word, finishMessage: "Why." }],
      }),
    model: (fetch) => gemini({ model: "m", fetch, ...common }),
  },
  {
    name: "Ollama",
    body: (word, text) =>
      lines(...when(text, { message: { content: text }, done: false }), {
        message: { content: "" },
        done: true,
        done_reason: word,
      }),
    model: (fetch) => ollama({ model: "m", fetch, ...common }),
  },
];

/** Streams of other libraries. */
const libraries: readonly {
  readonly name: string;
  readonly stream: (word: string) => AsyncIterable<MessageChunk>;
}[] = [
  {
    name: "the AI SDK",
    stream: (word) =>
      fromAiSdk(
        from<AiSdkPart>([
          { type: "text-delta", id: "0", text: "a" } as AiSdkPart,
          { type: "finish", finishReason: "other", rawFinishReason: word } as AiSdkPart,
        ]),
      ),
  },
  {
    name: "LangChain.js",
    stream: (word) =>
      fromLangChain(
        from<LangChainChunk>([
          { content: "a" },
          { content: "", response_metadata: { finish_reason: word } } as LangChainChunk,
        ]),
      ),
  },
];

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const reasons = [
  ["length", "length"],
  ["LENGTH", "length"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["Max_Output_Tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["END_TURN", "stop"],
  ["tool_use", "tool_calls"],
  ["SAFETY", "content_filter"],
  ["content-filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["OTHER", "other"],
  ["constructor", "other"],
] as const;

const errors = [
  ["error", true],
  ["ERROR", true],
  ["network_error", true],
  ["MALFORMED_FUNCTION_CALL", true],
  ["malformed_function_call", true],
  ["UNEXPECTED_TOOL_CALL", true],
  ["MISSING_THOUGHT_SIGNATURE", false],
] as const;

describe.each(apis)("an answer of $name", ({ body, model }) => {
  test.each(reasons)("that ends with %s has the finish reason %s", async (word, finishReason) => {
    const bytes = bytesOf(body(word, "a"));
    const message = await model(async () => responseOf([bytes])).invoke("Hi");
    expect(message).toMatchObject({ finishReason, providerFinishReason: word });
    expect(textOf(message)).toBe("a");
  });

  // How bytes are cut does not depend on the word.
  test.each(errors.map((error, i) => [...error, i === 0] as const))(
    "that ends with %s is an error with the text so far",
    async (word, retryable, inEveryWay) => {
      const bytes = bytesOf(body(word, "né"));
      for (const pieces of inEveryWay ? everyWay(bytes) : fixedSizes(bytes, [1, bytes.length])) {
        let requests = 0;
        const failing = model(async () => {
          requests++;
          return responseOf(pieces);
        });
        const { chunks, error } = await outcomeOf(failing.stream("Hi"));
        expect(chunks.map(textOf).join("")).toBe("né");
        expect(chunks.some(({ finishReason }) => finishReason !== undefined)).toBe(false);
        expect(error).toBeInstanceOf(ModelError);
        expect(error).toMatchObject({ code: "provider", providerCode: word, retryable });
        expect(textOf((error as ModelError).partial!)).toBe("né");
        expect((error as ModelError).message).toContain(word);
        expect(requests).toBe(1);
      }
    },
  );

  test("that ends with an error before its first content is requested again", async () => {
    const bodies = [body("network_error"), body("network_error"), body("stop", "a")];
    const message = await model(async () => responseOf([bytesOf(bodies.shift()!)])).invoke("Hi");
    expect([textOf(message), bodies]).toEqual(["a", []]);
  });
});

describe.each(libraries)("a stream of $name", ({ stream }) => {
  test.each(reasons)("that ends with %s has the finish reason %s", async (word, finishReason) => {
    expect(await last(pipe(stream(word), mergeChunks()))).toMatchObject({
      finishReason,
      providerFinishReason: word,
    });
  });

  test.each(errors)("that ends with %s is an error after its text", async (word, retryable) => {
    const { chunks, error } = await outcomeOf(stream(word));
    expect(chunks.map(textOf).join("")).toBe("a");
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "provider", providerCode: word, retryable });
  });
});

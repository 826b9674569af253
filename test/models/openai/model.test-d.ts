import OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import { type ChatModel, type MessageChunk, pipe } from "millrace";
import { decodeOpenAIChat, decodeOpenAIResponses, openai, type OpenAIExtra } from "millrace/openai";

test("request fields of OpenAI are typed, and unknown fields are allowed", () => {
  const model = openai({ model: "gpt-5-mini", apiKey: "k", api: "responses" });
  expectTypeOf(model).toExtend<ChatModel<OpenAIExtra>>();
  expectTypeOf(model).toExtend<ChatModel>();
  model.stream("Hi", {
    extra: {
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { summary: "auto", of_the_future: true },
      text: { verbosity: "low" },
      modalities: ["text", "audio"],
      audio: { voice: "alloy", format: "pcm16" },
      of_the_future: [1, { a: null }],
      service_tier: undefined,
    },
  });
  // @ts-expect-error: no such tier
  model.stream("Hi", { extra: { service_tier: "fastest" } });
  // @ts-expect-error: no such summary
  model.stream("Hi", { extra: { reasoning: { summary: "long" } } });
  // @ts-expect-error: no such API
  openai({ model: "gpt-5-mini", api: "completions" });
});

test("the decoders accept the streams of the official SDK", async () => {
  const sdk = new OpenAI({ apiKey: "k" });
  const chat = await sdk.chat.completions.create({ model: "a", messages: [], stream: true });
  expectTypeOf(pipe(chat, decodeOpenAIChat())).toEqualTypeOf<AsyncIterable<MessageChunk>>();
  const response = await sdk.responses.create({ model: "a", input: "Hi", stream: true });
  expectTypeOf(pipe(response, decodeOpenAIResponses())).toEqualTypeOf<AsyncIterable<MessageChunk>>();
});

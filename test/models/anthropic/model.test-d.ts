import Anthropic from "@anthropic-ai/sdk";
import { expectTypeOf, test } from "vitest";
import { type ChatModel, type MessageChunk, type Operator, pipe } from "millrace";
import type { ToolDefinition } from "millrace/models";
import { anthropic, type AnthropicExtra, decodeAnthropic } from "millrace/anthropic";

test("request fields of Anthropic are typed, and unknown fields are allowed", () => {
  const model = anthropic({ model: "claude-haiku-4-5" });
  expectTypeOf(model).toExtend<ChatModel<AnthropicExtra>>();
  expectTypeOf(model).toExtend<ChatModel>();
  model.stream("Hi", {
    extra: {
      thinking: { type: "adaptive", display: "summarized" },
      cache_control: { type: "ephemeral", ttl: "1h" },
      container: { skills: [{ type: "anthropic", skill_id: "pptx" }] },
      something_new: [1, { a: null }],
    },
  });
  // @ts-expect-error: no such tier
  model.stream("Hi", { extra: { service_tier: "fastest" } });
  // @ts-expect-error: no such kind of thinking
  model.stream("Hi", { extra: { thinking: { type: "hard" } } });

  const tools: ToolDefinition[] = [{ name: "f", parameters: {}, metadata: { defer_loading: true } }];
  model.stream("Hi", { tools });
});

test("the decoder accepts the streams of the official SDK", async () => {
  const sdk = new Anthropic({ apiKey: "k" });
  const body = { model: "a", max_tokens: 1, messages: [], stream: true as const };
  expectTypeOf(pipe(await sdk.messages.create(body), decodeAnthropic())).toEqualTypeOf<
    AsyncIterable<MessageChunk>
  >();
  expectTypeOf(pipe(sdk.beta.messages.stream(body), decodeAnthropic())).toEqualTypeOf<
    AsyncIterable<MessageChunk>
  >();
  expectTypeOf(decodeAnthropic()).toExtend<Operator<Anthropic.RawMessageStreamEvent, MessageChunk>>();
});

import { expectTypeOf, test } from "vitest";
import { type ChatModel, initModel } from "millrace";
import type { AnthropicExtra } from "millrace/anthropic";
import type { OpenAIExtra } from "millrace/openai";

test("a literal name determines the types of the options and of extra", async () => {
  const model = await initModel("openai:gpt-5-mini", { api: "responses", organization: "org" });
  expectTypeOf(model).toEqualTypeOf<ChatModel<OpenAIExtra>>();
  expectTypeOf(await initModel("anthropic:claude-haiku-4-5")).toEqualTypeOf<ChatModel<AnthropicExtra>>();
  // @ts-expect-error: no such API
  await initModel("openai:gpt-5-mini", { api: "completions" });
  // @ts-expect-error: only OpenAI has two APIs
  await initModel("anthropic:claude-haiku-4-5", { api: "responses" });
  // @ts-expect-error: the name determines the model
  await initModel("openai:gpt-5-mini", { model: "gpt-5" });
});

test("a name that shows its provider determines them too", async () => {
  expectTypeOf(await initModel("gpt-5-mini", { api: "responses" })).toEqualTypeOf<ChatModel<OpenAIExtra>>();
  expectTypeOf(await initModel("o3-mini")).toEqualTypeOf<ChatModel<OpenAIExtra>>();
  expectTypeOf(await initModel("ft:gpt-4o:acme")).toEqualTypeOf<ChatModel<OpenAIExtra>>();
  expectTypeOf(await initModel("claude-haiku-4-5")).toEqualTypeOf<ChatModel<AnthropicExtra>>();
  expectTypeOf(await initModel("ollama:gpt-oss:20b")).not.toEqualTypeOf<ChatModel<OpenAIExtra>>();
});

test("any other name has the options that all providers share", async () => {
  const name = "openai:gpt-5-mini" as string;
  expectTypeOf(await initModel(name, { apiKey: "k" })).toEqualTypeOf<ChatModel>();
  // @ts-expect-error: the provider is not known
  await initModel(name, { api: "responses" });
});

import { expectTypeOf, test } from "vitest";
import { type ChatModel, initModel } from "millrace";
import type { AnthropicExtra } from "millrace/anthropic";
import type { OpenAIExtra } from "millrace/openai";

test("a name written in place says whose options may be given, and whose extra", async () => {
  const model = await initModel("openai:gpt-5-mini", { api: "responses", organization: "org" });
  expectTypeOf(model).toEqualTypeOf<ChatModel<OpenAIExtra>>();
  expectTypeOf(await initModel("anthropic:claude-haiku-4-5")).toEqualTypeOf<ChatModel<AnthropicExtra>>();
  // @ts-expect-error: no such API
  await initModel("openai:gpt-5-mini", { api: "completions" });
  // @ts-expect-error: only OpenAI has two APIs
  await initModel("anthropic:claude-haiku-4-5", { api: "responses" });
  // @ts-expect-error: the name has said it
  await initModel("openai:gpt-5-mini", { model: "gpt-5" });
});

test("any other name takes what all providers share", async () => {
  const name = "openai:gpt-5-mini" as string;
  expectTypeOf(await initModel(name, { apiKey: "k" })).toEqualTypeOf<ChatModel>();
  // @ts-expect-error: nobody knows that it is OpenAI's
  await initModel(name, { api: "responses" });
});

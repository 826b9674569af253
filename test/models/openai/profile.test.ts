import { expect, test } from "vitest";
import { openai } from "millrace/openai";

function abilities(model: string): string {
  const { profile } = openai({ model, apiKey: "k" });
  const able = Object.entries(profile).flatMap(([name, can]) => (can === true ? [name] : []));
  return [...able, ...profile.input.slice(1)].join(" ");
}

test.each([
  ["gpt-6.1-terra", "structuredOutput structuredOutputWithTools toolCalling reasoning image file"],
  ["gpt-5-mini", "structuredOutput structuredOutputWithTools toolCalling reasoning image file"],
  ["gpt-5-chat-latest", "structuredOutput structuredOutputWithTools toolCalling image file"],
  ["o3", "structuredOutput structuredOutputWithTools toolCalling reasoning image file"],
  ["o3-mini", "structuredOutput structuredOutputWithTools toolCalling reasoning"],
  ["gpt-4.1-nano-2025-04-14", "structuredOutput structuredOutputWithTools toolCalling image file"],
  ["gpt-4o", "structuredOutput structuredOutputWithTools toolCalling image file"],
  ["ft:gpt-4o-mini-2024-07-18:acme::1", "structuredOutput structuredOutputWithTools toolCalling image file"],
  ["gpt-4o-2024-05-13", "toolCalling image"],
  ["gpt-4o-mini-audio-preview", "toolCalling audio"],
  ["gpt-audio-mini", "toolCalling audio"],
  ["gpt-4-turbo", "toolCalling image"],
  ["gpt-3.5-turbo", "toolCalling"],
  ["llama-3.3-70b", "toolCalling"],
  ["deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "toolCalling openThinking"],
  ["Qwen/QwQ-32B", "toolCalling openThinking"],
  ["Qwen/QwQ-32B-Preview", "toolCalling"],
  ["qwen3-235b-a22b-thinking-2507", "toolCalling openThinking"],
  ["Qwen/Qwen3-32B", "toolCalling"],
])("the profile of %s is: %s", (model, expected) => {
  expect(abilities(model)).toBe(expected);
});

test("newer models have a larger context", () => {
  const tokensOf = (model: string): unknown => openai({ model, apiKey: "k" }).profile.contextTokens;
  expect(["gpt-6.1-terra", "gpt-5.6-sol", "gpt-5.2"].map(tokensOf)).toEqual([1_050_000, 1_050_000, 400_000]);
});

test("models that produce speech have audio output", () => {
  const outputOf = (model: string): unknown => openai({ model, apiKey: "k" }).profile.output;
  expect(outputOf("gpt-4o-audio-preview")).toEqual(["text", "audio"]);
  expect(outputOf("gpt-audio")).toEqual(["text", "audio"]);
  expect(outputOf("gpt-4o")).toEqual(["text"]);
});

test("options override the profile", () => {
  const { profile } = openai({
    model: "mine",
    apiKey: "k",
    profile: { structuredOutput: true, toolCalling: false },
  });
  expect(profile).toEqual({
    structuredOutput: true,
    toolCalling: false,
    reasoning: false,
    input: ["text"],
    output: ["text"],
  });
});

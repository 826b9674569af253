import { expect, test } from "vitest";
import { anthropic } from "millrace/anthropic";

function abilities(model: string): string {
  const { profile } = anthropic({ model, apiKey: "k" });
  const able = Object.entries(profile).flatMap(([name, can]) => (can === true ? [name] : []));
  return [...able, ...profile.input.slice(1), profile.contextTokens, profile.maxOutputTokens]
    .join(" ")
    .trim();
}

const all = "structuredOutput structuredOutputWithTools toolCalling reasoning image file";

test.each([
  ["claude-opus-5-5", `${all} 1000000 128000`],
  ["claude-fable-5-2", `${all} 1000000 128000`],
  ["claude-mythos-preview", `${all} 1000000 128000`],
  ["claude-sonnet-5-5", `${all} 1000000 128000`],
  ["claude-haiku-5-5", `${all} 1000000 128000`],
  ["claude-opus-4-7", `${all} 1000000 128000`],
  ["claude-sonnet-4-6", `${all} 1000000 128000`],
  ["claude-haiku-4-5-20251001", `${all} 200000 64000`],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", `${all} 200000 64000`],
  ["claude-sonnet-4-20250514", "toolCalling reasoning image file 200000 64000"],
  ["claude-opus-4-1", "toolCalling reasoning image file 200000 32000"],
  ["claude-3-7-sonnet-latest", "toolCalling reasoning image file 200000 64000"],
  ["claude-3-5-haiku-latest", "toolCalling image file 200000 8192"],
  ["claude-3-haiku-20240307", "toolCalling image 200000 4096"],
  ["deepseek-chat", "toolCalling"],
])("the profile of %s is: %s", (model, expected) => {
  expect(abilities(model)).toBe(expected);
});

test.each([
  ["claude-opus-5-5", false],
  ["claude-sonnet-5-5", false],
  ["claude-haiku-5-5", undefined],
  ["deepseek-chat", undefined],
])("forcedToolChoice of %s is %s", (model, expected) => {
  expect(anthropic({ model, apiKey: "k" }).profile.forcedToolChoice).toBe(expected);
});

test("options override the profile", () => {
  const { profile, provider } = anthropic({
    model: "mine",
    apiKey: "k",
    profile: { structuredOutput: true },
  });
  expect(provider).toBe("anthropic");
  expect(profile).toEqual({
    structuredOutput: true,
    toolCalling: true,
    reasoning: false,
    input: ["text"],
    output: ["text"],
  });
});

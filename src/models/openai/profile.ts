import type { ModelProfile } from "../contract/chat-model.js";
import { type ProfileEntry, lookUpProfile } from "../contract/profile.js";

/** The profile for the name of a model. */
export function openAIProfile(model: string): ModelProfile {
  return lookUpProfile(model.replace(/^ft:/, ""), entries, unknownModel);
}

/**
 * Most compatible servers support tools. Not all can enforce a schema, and some reject such requests, so structured
 * output is not assumed.
 */
const unknownModel: Omit<ProfileEntry, "names"> = { abilities: "tools" };

/** As of OpenAI's list of models in 2026. */
const entries: readonly ProfileEntry[] = [
  {
    names: /^gpt-5(?!.*-chat)/,
    abilities: "structured tools reasoning image file",
    contextTokens: 400_000,
    maxOutputTokens: 128_000,
  },
  {
    names: /^(?:o1(?!-mini|-preview)|o3(?!-mini)|o4)/,
    abilities: "structured tools reasoning image file",
    contextTokens: 200_000,
    maxOutputTokens: 100_000,
  },
  {
    names: /^o3-mini/,
    abilities: "structured tools reasoning",
    contextTokens: 200_000,
    maxOutputTokens: 100_000,
  },
  { names: /^gpt-4o-2024-05-13/, abilities: "tools image", contextTokens: 128_000, maxOutputTokens: 4_096 },
  { names: /^chatgpt-4o/, abilities: "tools image", contextTokens: 128_000, maxOutputTokens: 16_384 },
  // These models produce speech if `modalities` requests it.
  {
    names: /^gpt-(?:4o.*-)?audio/,
    abilities: "tools audio",
    output: ["text", "audio"],
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  },
  {
    names: /^gpt-5/,
    abilities: "structured tools image file",
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  },
  {
    names: /^gpt-4\.1/,
    abilities: "structured tools image file",
    contextTokens: 1_047_576,
    maxOutputTokens: 32_768,
  },
  {
    names: /^gpt-4(?:\.5|o)/,
    abilities: "structured tools image file",
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  },
  { names: /^gpt-4-turbo/, abilities: "tools image", contextTokens: 128_000, maxOutputTokens: 4_096 },
];

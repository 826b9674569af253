import type { ModelProfile } from "../contract/chat-model.js";
import { type ProfileEntry, profileOf } from "../contract/profile.js";

/** What the name of a model says that it can do. */
export function openAIProfile(model: string): ModelProfile {
  return profileOf(model.replace(/^ft:/, ""), entries, unknownModel);
}

/**
 * Most servers that speak OpenAI's language know tools. Not all hold a model to a schema, and some refuse the request
 * then; so that is not counted on.
 */
const unknownModel: Omit<ProfileEntry, "names"> = { abilities: "tools" };

/** As of OpenAI's list of models in 2026. */
const entries: readonly ProfileEntry[] = [
  {
    names: /^gpt-5(?!.*-chat)/,
    abilities: "structured tools reasoning image file",
    context: 400_000,
    maxOutput: 128_000,
  },
  {
    names: /^(?:o1(?!-mini|-preview)|o3(?!-mini)|o4)/,
    abilities: "structured tools reasoning image file",
    context: 200_000,
    maxOutput: 100_000,
  },
  { names: /^o3-mini/, abilities: "structured tools reasoning", context: 200_000, maxOutput: 100_000 },
  { names: /^gpt-4o-2024-05-13/, abilities: "tools image", context: 128_000, maxOutput: 4_096 },
  { names: /^chatgpt-4o/, abilities: "tools image", context: 128_000, maxOutput: 16_384 },
  // They speak where `modalities` asks for it.
  {
    names: /^gpt-(?:4o.*-)?audio/,
    abilities: "tools audio",
    output: ["text", "audio"],
    context: 128_000,
    maxOutput: 16_384,
  },
  { names: /^gpt-5/, abilities: "structured tools image file", context: 128_000, maxOutput: 16_384 },
  { names: /^gpt-4\.1/, abilities: "structured tools image file", context: 1_047_576, maxOutput: 32_768 },
  { names: /^gpt-4(?:\.5|o)/, abilities: "structured tools image file", context: 128_000, maxOutput: 16_384 },
  { names: /^gpt-4-turbo/, abilities: "tools image", context: 128_000, maxOutput: 4_096 },
];

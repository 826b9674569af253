import type { ModelProfile } from "../contract/chat-model.js";
import { type ProfileEntry, lookUpProfile } from "../contract/profile.js";
import { modelName } from "./model-name.js";

/** Derives the profile of a model from its name. */
export function geminiProfile(model: string): ModelProfile {
  const name = modelName(model);
  const profile = lookUpProfile(name, entries, unknownModel);
  // Before Gemini 3, a request with functions and a schema is refused (googleapis/python-genai#867).
  return /^gemini-[12]\b/.test(name) ? { ...profile, structuredOutputWithTools: false } : profile;
}

/** All Gemini models support tools. Nothing else is assumed for unknown models. */
const unknownModel: Omit<ProfileEntry, "names"> = { abilities: "tools" };

const everything = "structured tools reasoning image audio video file";

/** From Google's model list in 2026. */
const entries: readonly ProfileEntry[] = [
  {
    names: /^gemini-.*-tts/,
    abilities: "",
    output: ["audio"],
    contextTokens: 8_192,
    maxOutputTokens: 16_384,
  },
  {
    names: /^gemini-3.*-image/,
    abilities: "structured reasoning image",
    output: ["text", "image"],
    contextTokens: 65_536,
    maxOutputTokens: 32_768,
  },
  {
    names: /^gemini-.*-image/,
    abilities: "image",
    output: ["text", "image"],
    contextTokens: 32_768,
    maxOutputTokens: 32_768,
  },
  {
    names: /^gemini-(?:2\.5|[3-9])/,
    abilities: everything,
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
  },
  {
    names: /^gemini-(?:pro|flash|flash-lite)-latest/,
    abilities: everything,
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
  },
  {
    names: /^gemini-2\.0/,
    abilities: "structured tools image audio video file",
    contextTokens: 1_048_576,
    maxOutputTokens: 8_192,
  },
  { names: /^gemma/, abilities: "" },
];

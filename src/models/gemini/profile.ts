import type { ModelProfile } from "../contract/chat-model.js";
import { lookUpProfile, type ProfileRow } from "../contract/profile.js";

/** Derives the profile of a model from its name. All Gemini models support tools; nothing else is assumed. */
export function geminiProfile(model: string): ModelProfile {
  const name = modelName(model);
  const profile = lookUpProfile(name, rows, "tools");
  // Before Gemini 3, a request with functions and a schema is refused (googleapis/python-genai#867).
  return /^gemini-[12]\b/.test(name) ? { ...profile, structuredOutputWithTools: false } : profile;
}

const everything = "structured tools reasoning image audio video file";

/** From Google's model list in 2026. */
const rows: readonly ProfileRow[] = [
  [/^gemini-.*-tts/, "", 8_192, 16_384, ["audio"]],
  [/^gemini-3.*-image/, "structured reasoning image", 65_536, 32_768, ["text", "image"]],
  [/^gemini-.*-image/, "image", 32_768, 32_768, ["text", "image"]],
  [/^gemini-(?:2\.5|[3-9])/, everything, 1_048_576, 65_536],
  [/^gemini-(?:pro|flash|flash-lite)-latest/, everything, 1_048_576, 65_536],
  [/^gemini-2\.0/, "structured tools image audio video file", 1_048_576, 8_192],
  [/^gemma/, ""],
];

/** The name of a model without its prefix: `models/`, `publishers/google/models/`. */
export function modelName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}

import type { ModelProfile } from "../contract/chat-model.js";
import { lookUpProfile, type ProfileRow } from "../contract/profile.js";

/** Not all compatible servers can enforce a schema, and some reject it, so structured output is not assumed. */
export function openAIProfile(model: string): ModelProfile {
  return lookUpProfile(model.replace(/^ft:/, ""), rows, "tools");
}

/** As of OpenAI's list of models in November 2026. */
const rows: readonly ProfileRow[] = [
  [/^gpt-(?:5\.[4-9]|[6-9])(?!.*-chat)/, "structured tools reasoning image file", 1_050_000, 128_000],
  [/^gpt-5(?!.*-chat)/, "structured tools reasoning image file", 400_000, 128_000],
  [/^(?:o1(?!-mini|-preview)|o3(?!-mini)|o4)/, "structured tools reasoning image file", 200_000, 100_000],
  [/^o3-mini/, "structured tools reasoning", 200_000, 100_000],
  [/^gpt-4o-2024-05-13/, "tools image", 128_000, 4_096],
  [/^chatgpt-4o/, "tools image", 128_000, 16_384],
  // These models produce speech if `modalities` requests it.
  [/^gpt-(?:4o.*-)?audio/, "tools audio", 128_000, 16_384, ["text", "audio"]],
  [/^gpt-5/, "structured tools image file", 128_000, 16_384],
  [/^gpt-4\.1/, "structured tools image file", 1_047_576, 32_768],
  [/^gpt-4(?:\.5|o)/, "structured tools image file", 128_000, 16_384],
  [/^gpt-4-turbo/, "tools image", 128_000, 4_096],
  // Their chat templates end with <think>.
  [/^(?:.*\/)?(?:deepseek-r1|qwq-(?!.*preview)|qwen3-.*thinking)/i, "tools openThinking"],
];

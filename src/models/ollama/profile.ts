import type { ModelProfile } from "../contract/chat-model.js";
import { type ProfileEntry, lookUpProfile } from "../contract/profile.js";

/** Derives the profile of a model from its name, with or without a publisher: `someone/qwen3:8b`. */
export function ollamaProfile(model: string): ModelProfile {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return {
    ...lookUpProfile(name, entries, unknownModel),
    // Beside a schema, tools are ignored (ollama/ollama#8095).
    structuredOutputWithTools: false,
    forcedToolChoice: false,
  };
}

/**
 * Ollama constrains any model to a schema. It refuses tools, thoughts and images for models that do not support them.
 */
const unknownModel: Omit<ProfileEntry, "names"> = { abilities: "structured" };

/** From Ollama's library in 2026. The server decides the context length (`num_ctx`). */
const entries: readonly ProfileEntry[] = [
  // Its answers have their own format, which a schema would break.
  { names: /^gpt-oss/, abilities: "tools reasoning" },
  { names: /^qwen3-coder/, abilities: "structured tools" },
  { names: /^qwen3(?:\.5)?-?vl|^qwen3\.5/, abilities: "structured tools reasoning image" },
  { names: /^qwen3/, abilities: "structured tools reasoning" },
  { names: /^deepseek-(?:r1|v3\.[1-9])/, abilities: "structured tools reasoning" },
  { names: /^magistral/, abilities: "structured tools reasoning" },
  { names: /^(?:llama4|mistral-small3\.[1-9])/, abilities: "structured tools image" },
  { names: /^(?:gemma3n|gemma3:(?:270m|1b))/, abilities: "structured" },
  {
    names: /^(?:gemma3|llava|bakllava|llama3\.2-vision|qwen2\.5vl|minicpm-v|moondream)/,
    abilities: "structured image",
  },
  {
    names: /^(?:llama3\.[1-3]|qwen2\.5|mistral|mixtral|command-r|granite|hermes3|firefunction)/,
    abilities: "structured tools",
  },
];

import type { ModelProfile } from "../contract/chat-model.js";
import { lookUpProfile, type ProfileRow } from "../contract/profile.js";

/** Ollama constrains any model to a schema. It refuses tools, thoughts and images that a model does not support. */
export function ollamaProfile(model: string): ModelProfile {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return {
    ...lookUpProfile(name, rows, "structured"),
    // Beside a schema, tools are ignored (ollama/ollama#8095).
    structuredOutputWithTools: false,
    forcedToolChoice: false,
  };
}

/** From Ollama's library in 2026. The server decides the context length (`num_ctx`). */
const rows: readonly ProfileRow[] = [
  // Its answers have their own format, which a schema would break.
  [/^gpt-oss/, "tools reasoning"],
  [/^qwen3-coder/, "structured tools"],
  [/^qwen3(?:\.5)?-?vl|^qwen3\.5/, "structured tools reasoning image"],
  [/^qwen3/, "structured tools reasoning"],
  [/^deepseek-(?:r1|v3\.[1-9])/, "structured tools reasoning"],
  [/^magistral/, "structured tools reasoning"],
  [/^(?:llama4|mistral-small3\.[1-9])/, "structured tools image"],
  [/^(?:gemma3n|gemma3:(?:270m|1b))/, "structured"],
  [/^(?:gemma3|llava|bakllava|llama3\.2-vision|qwen2\.5vl|minicpm-v|moondream)/, "structured image"],
  [/^(?:llama3\.[1-3]|qwen2\.5|mistral|mixtral|command-r|granite|hermes3|firefunction)/, "structured tools"],
];

import type { ToolCallDialect } from "millrace";

export const dialects: readonly ToolCallDialect[] = [
  "hermes",
  "granite",
  "mistral",
  "llama",
  "glm",
  "glm-xml",
  "qwen-xml",
  "python",
  "json",
];

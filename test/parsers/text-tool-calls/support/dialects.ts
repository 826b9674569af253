import type { ToolCallDialect } from "millrace/models";

export const dialects: readonly ToolCallDialect[] = [
  "hermes",
  "granite",
  "mistral",
  "llama",
  "glm",
  "glm-xml",
  "qwen-xml",
  "invoke",
  "minimax",
  "deepseek",
  "kimi",
  "gemma",
  "gpt-oss",
  "python",
  "json",
];

export { decodeOllama } from "./decoder.js";
export { ollama } from "./model.js";
export type { OllamaExtra, OllamaOptions, OllamaRunOptions } from "./options.js";
export type { OllamaPayload } from "./decoder.js";

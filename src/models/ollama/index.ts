export { decodeOllama } from "./decode-ollama.js";
export { ollama } from "./ollama.js";
export type { OllamaExtra, OllamaOptions, OllamaRunOptions } from "./options.js";
export type { OllamaPayload } from "./payload.js";

export { anthropic } from "./model.js";
export { decodeAnthropic } from "./decoder.js";
export type { AnthropicExtra, AnthropicOptions, AnthropicThinking, CacheControl } from "./options.js";
export type { AnthropicEvent, AnthropicPayload } from "./decoder.js";

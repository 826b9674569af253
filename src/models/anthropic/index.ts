export { anthropic } from "./anthropic.js";
export { decodeAnthropic } from "./decode.js";
export type {
  AnthropicExtra,
  AnthropicOptions,
  AnthropicServerTool,
  AnthropicThinking,
  CacheControl,
} from "./options.js";
export type { AnthropicEvent, AnthropicPayload } from "./payload.js";

export { anthropic } from "./anthropic.js";
export { decodeAnthropic } from "./response/decode-anthropic.js";
export type {
  AnthropicExtra,
  AnthropicOptions,
  AnthropicServerTool,
  AnthropicThinking,
  CacheControl,
} from "./options.js";
export type { AnthropicEvent, AnthropicPayload } from "./response/payload.js";

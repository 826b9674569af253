export { decodeOpenAIChat } from "./decode-chat.js";
export type { OpenAIChatChunk, OpenAIChatPayload } from "./chat-payload.js";
export { openai } from "./openai.js";
export type { OpenAIExtra, OpenAIOptions } from "./options.js";

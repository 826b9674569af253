export { decodeOpenAIChat } from "./chat/decode-chat.js";
export type { OpenAIChatChunk, OpenAIChatPayload } from "./chat/payload.js";
export { decodeOpenAIResponses } from "./responses/decode-responses.js";
export { openai } from "./openai.js";
export type { OpenAIExtra, OpenAIOptions } from "./options.js";
export type { OpenAIResponsesEvent, OpenAIResponsesPayload } from "./responses/payload.js";

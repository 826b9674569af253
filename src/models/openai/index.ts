export { decodeOpenAIChat, type OpenAIChatChunk, type OpenAIChatPayload } from "./chat/decode-chat.js";
export {
  decodeOpenAIResponses,
  type OpenAIResponsesEvent,
  type OpenAIResponsesPayload,
} from "./responses/decode-responses.js";
export { openai } from "./openai.js";
export type { OpenAIExtra, OpenAIOptions } from "./options.js";

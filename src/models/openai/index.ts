export { decodeOpenAIChat, type OpenAIChatChunk, type OpenAIChatPayload } from "./chat/decoder.js";
export {
  decodeOpenAIResponses,
  type OpenAIResponsesEvent,
  type OpenAIResponsesPayload,
} from "./responses/decoder.js";
export { openai } from "./model.js";
export type { OpenAIExtra, OpenAIOptions } from "./options.js";
export type { LocalServer, OpenAIServer } from "./request/servers.js";

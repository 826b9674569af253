export { decodeGemini } from "./decoder.js";
export { gemini } from "./model.js";
export type {
  GeminiExtra,
  GeminiFunctionCallingConfig,
  GeminiOptions,
  GeminiSafetySetting,
  GeminiToolConfig,
} from "./options.js";
export type { GeminiPayload, GeminiResponse } from "./decoder.js";

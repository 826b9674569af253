export { decodeGemini } from "./decode-gemini.js";
export { gemini } from "./gemini.js";
export type {
  GeminiExtra,
  GeminiFunctionCallingConfig,
  GeminiOptions,
  GeminiSafetySetting,
  GeminiToolConfig,
} from "./options.js";
export type { GeminiPayload, GeminiResponse } from "./payload.js";

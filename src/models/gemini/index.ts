export { decodeGemini } from "./response/decode-gemini.js";
export { gemini } from "./gemini.js";
export type {
  GeminiExtra,
  GeminiFunctionCallingConfig,
  GeminiOptions,
  GeminiSafetySetting,
  GeminiToolConfig,
} from "./options.js";
export type { GeminiPayload, GeminiResponse } from "./response/payload.js";

import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `gemini()`. */
export interface GeminiOptions extends ProviderOptions {
  /**
   * Default: the environment variable `GEMINI_API_KEY` or `GOOGLE_API_KEY`. Optional for a server at another `baseURL`.
   */
  readonly apiKey?: string | undefined;
  /**
   * Default: Google's Gemini API, `https://generativelanguage.googleapis.com/v1beta`. For Vertex AI, the URL up to
   * `publishers/google`; `/models/{model}:streamGenerateContent` is appended.
   */
  readonly baseURL?: string | undefined;
}

/**
 * Additional request fields in the format of the API. Unlisted fields are sent too. `generationConfig`, its
 * `thinkingConfig`, `toolConfig` and its `functionCallingConfig` are merged with the other options, field by field.
 * All other fields replace existing ones.
 */
export interface GeminiExtra extends AnyExtra {
  /** Such as `{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }`. */
  readonly safetySettings?: GeminiSafetySetting[] | undefined;
  /** The name of a context cache: `cachedContents/…`. */
  readonly cachedContent?: string | undefined;
  readonly toolConfig?: GeminiToolConfig | undefined;
  /** Additional generation settings, such as `{ topK: 5, candidateCount: 1 }`. */
  readonly generationConfig?: JsonObject | undefined;
  /** Labels for billing, on Vertex AI. */
  readonly labels?: Record<string, string> | undefined;
}

/** The blocking threshold for one harm category. */
export interface GeminiSafetySetting extends JsonObject {
  category: string;
  threshold: string;
}

/** Additional tool settings. Unlisted fields are sent too. */
export type GeminiToolConfig = JsonObject & {
  functionCallingConfig?: GeminiFunctionCallingConfig;
};

/** Function call settings besides `toolChoice`. */
export type GeminiFunctionCallingConfig = JsonObject & {
  mode?: "AUTO" | "ANY" | "NONE" | "VALIDATED";
  allowedFunctionNames?: string[];
  /** Streams arguments in pieces. Vertex AI only, from Gemini 3. */
  streamFunctionCallArguments?: boolean;
};

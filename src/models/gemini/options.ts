import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `gemini()`. */
export interface GeminiOptions extends ProviderOptions {
  /** Default: the environment's `GEMINI_API_KEY` or `GOOGLE_API_KEY`. A server at another `baseURL` may need none. */
  readonly apiKey?: string | undefined;
  /**
   * Default: the Gemini API of Google, `https://generativelanguage.googleapis.com/v1beta`. For Vertex AI up to
   * `publishers/google`: `/models/{model}:streamGenerateContent` is added to it.
   */
  readonly baseURL?: string | undefined;
}

/**
 * Further fields of a request, as the API has them. Those not named here go through too. `generationConfig`, its
 * `thinkingConfig`, `toolConfig` and its `functionCallingConfig` are joined with what the other options say, field by
 * field; `tools` are added to the functions; all else takes the place of what was there.
 */
export interface GeminiExtra extends AnyExtra {
  /** Such as `{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }`. */
  readonly safetySettings?: GeminiSafetySetting[] | undefined;
  /** The name of a context cache: `cachedContents/…`. */
  readonly cachedContent?: string | undefined;
  /** Gemini's own tools: `{ googleSearch: {} }`, `{ codeExecution: {} }`, `{ urlContext: {} }`. */
  readonly tools?: JsonObject[] | undefined;
  readonly toolConfig?: GeminiToolConfig | undefined;
  /** More on the answer than the other options say, such as `{ topK: 5, candidateCount: 1 }`. */
  readonly generationConfig?: JsonObject | undefined;
  /** Labels for billing, on Vertex AI. */
  readonly labels?: Record<string, string> | undefined;
}

/** How much of one kind of harm Gemini lets through. */
export interface GeminiSafetySetting extends JsonObject {
  category: string;
  threshold: string;
}

/** More on tools than the other options say. Fields not named here go through too. */
export type GeminiToolConfig = JsonObject & {
  functionCallingConfig?: GeminiFunctionCallingConfig;
};

/** More on function calls than `toolChoice` says. */
export type GeminiFunctionCallingConfig = JsonObject & {
  mode?: "AUTO" | "ANY" | "NONE" | "VALIDATED";
  allowedFunctionNames?: string[];
  /** Arguments come piece by piece. On Vertex AI, from Gemini 3 on. */
  streamFunctionCallArguments?: boolean;
};

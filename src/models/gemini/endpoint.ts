import { environmentVariable, type Endpoint, createEndpoint } from "../http/endpoint.js";
import { ModelError } from "../contract/errors.js";
import type { GeminiOptions } from "./options.js";

/** @throws {ModelError} `no_key`; `invalid_request` for an invalid address or header */
export function geminiEndpoint(options: GeminiOptions): Endpoint {
  const { model, baseURL = officialURL } = options;
  const fromEnvironment = environmentVariable("GEMINI_API_KEY") ?? environmentVariable("GOOGLE_API_KEY");
  const key = (options.apiKey ?? fromEnvironment)?.trim() ?? "";
  const endpoint = createEndpoint({
    baseURL,
    // A name with a slash includes its collection, such as `tunedModels/mine`.
    path: `/${model.includes("/") ? model : `models/${model}`}:streamGenerateContent`,
    headers: { accept: "text/event-stream", "x-goog-api-key": key === "" ? undefined : key },
    ownHeaders: options.headers,
    key,
  });
  const { url, headers } = endpoint;
  // Without it the response is a single JSON array.
  url.searchParams.set("alt", "sse");
  const hasKey = headers.has("x-goog-api-key") || headers.has("authorization") || url.searchParams.has("key");
  if (url.hostname === new URL(officialURL).hostname && !hasKey) {
    throw new ModelError(
      "no_key",
      "Gemini needs an API key. Set GEMINI_API_KEY, or pass apiKey to gemini().",
      {
        environmentVariable: "GEMINI_API_KEY",
      },
    );
  }
  return endpoint;
}

const officialURL = "https://generativelanguage.googleapis.com/v1beta";

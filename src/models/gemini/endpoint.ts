import { acceptedTypes, createEndpoint, type Endpoint, type ReadVariable } from "../http/endpoint.js";
import type { GeminiOptions } from "./options.js";

/** @throws {ModelError} `invalid_request` for an invalid address or header */
export function geminiEndpoint(options: GeminiOptions, variable: ReadVariable): Endpoint {
  const { model, baseURL = officialURL, stream = true } = options;
  const method = stream ? "streamGenerateContent" : "generateContent";
  const fromEnvironment = variable("GEMINI_API_KEY") ?? variable("GOOGLE_API_KEY");
  const key = (options.apiKey ?? fromEnvironment)?.trim() ?? "";
  const endpoint = createEndpoint({
    baseURL,
    // A name with a slash includes its collection, such as `tunedModels/mine`.
    path: `/${model.includes("/") ? model : `models/${model}`}:${method}`,
    headers: { accept: acceptedTypes(options), "x-goog-api-key": key === "" ? undefined : key },
    ownHeaders: options.headers,
    key,
  });
  const { url, headers } = endpoint;
  // Without it the response is a single JSON array.
  if (stream) url.searchParams.set("alt", "sse");
  const hasKey = headers.has("x-goog-api-key") || headers.has("authorization") || url.searchParams.has("key");
  const isMissing = url.hostname === new URL(officialURL).hostname && !hasKey;
  return { ...endpoint, missingKey: isMissing ? keyNames : undefined };
}

const keyNames = { provider: "Gemini", factory: "gemini", variable: "GEMINI_API_KEY" };
const officialURL = "https://generativelanguage.googleapis.com/v1beta";

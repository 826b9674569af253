import { createEndpoint, type Endpoint, parseBaseURL, type ReadVariable } from "../http/endpoint.js";
import type { GeminiOptions } from "./options.js";

export function geminiEndpoint(options: GeminiOptions, variable: ReadVariable): Endpoint {
  const { model, stream = true } = options;
  const method = stream ? "streamGenerateContent" : "generateContent";
  const baseURL = parseBaseURL(options.baseURL ?? officialURL);
  // Without it the response is a single JSON array.
  if (stream) baseURL.searchParams.set("alt", "sse");
  const isOfficial = baseURL.hostname === new URL(officialURL).hostname;
  return createEndpoint(options, {
    baseURL,
    // A name with a slash includes its collection, such as `tunedModels/mine`.
    path: `/${model.includes("/") ? model : `models/${model}`}:${method}`,
    key: options.apiKey ?? variable("GEMINI_API_KEY") ?? variable("GOOGLE_API_KEY"),
    keyHeader: "x-goog-api-key",
    keyNames: isOfficial && !baseURL.searchParams.has("key") ? keyNames : undefined,
  });
}

const keyNames = { provider: "Gemini", factory: "gemini", variable: "GEMINI_API_KEY" };
const officialURL = "https://generativelanguage.googleapis.com/v1beta";

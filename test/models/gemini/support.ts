import { decodeGemini, gemini, type GeminiOptions, type GeminiResponse } from "millrace/gemini";
import { type Answer, begin, type TestServer } from "../support/server.js";
import { decodedBy } from "../support/decoded.js";

export { serving } from "../support/models.js";

/** A model on that server, without retries by default. */
export function modelAt(server: TestServer, options: Partial<GeminiOptions> = {}): ReturnType<typeof gemini> {
  return gemini({ model: "test-1", baseURL: server.url, apiKey: "secret-key", maxRetries: 0, ...options });
}

/** A response with these parts. */
export function parts(...parts: readonly unknown[]): GeminiResponse {
  return {
    responseId: "r1",
    modelVersion: "test-1",
    candidates: [{ content: { role: "model", parts }, index: 0 }],
  };
}

export function text(text: string): GeminiResponse {
  return parts({ text });
}

export function finish(reason = "STOP", more: object = {}): GeminiResponse {
  return { candidates: [{ content: { parts: [{ text: "" }] }, finishReason: reason, index: 0, ...more }] };
}

/** A stream of these responses. The end of the body ends it. */
export function stream(...responses: readonly unknown[]): Answer {
  return (response) => {
    begin(response, ...responses);
    response.end();
  };
}

export const { chunksOf, messageOf } = decodedBy(decodeGemini);

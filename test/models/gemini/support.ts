import { type AssistantMessage, from, last, mergeChunks, type MessageChunk, pipe } from "millrace";
import {
  decodeGemini,
  gemini,
  type GeminiOptions,
  type GeminiPayload,
  type GeminiResponse,
} from "millrace/gemini";
import { type Answer, begin, type TestServer } from "../support/server.js";

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

export async function chunksOf(...payloads: readonly unknown[]): Promise<MessageChunk[]> {
  const chunks: MessageChunk[] = [];
  for await (const chunk of pipe(from(payloads as GeminiPayload[]), decodeGemini())) chunks.push(chunk);
  return chunks;
}

export async function messageOf(...payloads: readonly unknown[]): Promise<AssistantMessage> {
  const message = await last(pipe(from(payloads as GeminiPayload[]), decodeGemini(), mergeChunks()));
  if (message === undefined) throw new Error("there is no message");
  return message;
}

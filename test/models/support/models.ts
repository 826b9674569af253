import { onTestFinished } from "vitest";
import { type MessageChunk, ModelError } from "millrace";
import { openai, type OpenAIOptions } from "millrace/openai";
import { type Answer, serve, type TestServer } from "./server.js";

/** A server that is closed after the test. */
export async function serving(...answers: readonly Answer[]): Promise<TestServer> {
  const server = await serve(...answers);
  onTestFinished(() => server.close());
  return server;
}

/** A model on that server, without retries by default. */
export function modelAt(server: TestServer, options: Partial<OpenAIOptions> = {}): ReturnType<typeof openai> {
  return openai({ model: "test-1", baseURL: server.url, apiKey: "sk-secret-key", maxRetries: 0, ...options });
}

export interface Outcome {
  readonly chunks: readonly MessageChunk[];
  readonly error: unknown;
}

/** The chunks of a stream and its error, if any. */
export async function outcomeOf(stream: AsyncIterable<MessageChunk>): Promise<Outcome> {
  const chunks: MessageChunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

/** The ModelError of a stream that is expected to fail. */
export async function errorOf(stream: AsyncIterable<MessageChunk>): Promise<ModelError> {
  const { error } = await outcomeOf(stream);
  if (error instanceof ModelError) return error;
  throw new Error("expected a ModelError", { cause: error });
}

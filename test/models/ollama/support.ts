import type { ServerResponse } from "node:http";
import { decodeOllama, ollama, type OllamaOptions, type OllamaPayload } from "millrace/ollama";
import type { TestServer } from "../support/server.js";
import { decodedBy } from "../support/decoded.js";

export { serving } from "../support/models.js";

/** A model on that server, without retries by default. */
export function modelAt(server: TestServer, options: Partial<OllamaOptions> = {}): ReturnType<typeof ollama> {
  return ollama({ model: "test-1", baseURL: server.url, maxRetries: 0, ...options });
}

export function says(message: object, more: object = {}): OllamaPayload {
  return { model: "test-1", message: { role: "assistant", ...message }, done: false, ...more };
}

export function text(content: string): OllamaPayload {
  return says({ content });
}

export function done(more: object = {}): OllamaPayload {
  return { ...says({ content: "" }), done: true, done_reason: "stop", ...more };
}

/** Starts a response with these lines. It stays open. */
export function begin(response: ServerResponse, ...lines: readonly unknown[]): void {
  if (!response.headersSent)
    response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
}

export const { chunksOf, messageOf } = decodedBy(decodeOllama);

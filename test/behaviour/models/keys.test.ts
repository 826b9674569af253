import { inspect } from "node:util";
import { collect, type ChatModel, ModelError } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { describe, expect, test } from "vitest";

const key = "key-0123456789abcdef";
const word = "token-of-the-proxy";

/** The settings of a model: its key, a custom header, an address with a password, and no network. */
type Given = Parameters<typeof openai>[0] & Parameters<typeof anthropic>[0] & Parameters<typeof ollama>[0];

const providers: Readonly<Record<string, (options: Given) => ChatModel>> = {
  "Chat Completions": (options) => openai({ ...options, api: "chat" }),
  Responses: (options) => openai({ ...options, api: "responses" }),
  Anthropic: (options) => anthropic(options),
  Gemini: (options) => gemini(options),
  Ollama: (options) => ollama(options),
};

const echo = `You sent ${key} and ${word}.`;
const sse = { "content-type": "text/event-stream" };
const ndjson = { "content-type": "application/x-ndjson" };

function nested(): Error {
  const inner = Object.assign(new Error(echo), { code: "ECONNRESET", headers: { authorization: key } });
  return new TypeError("fetch failed", { cause: new Error("socket", { cause: inner }) });
}

/** A body that fails after its first bytes, with an error that contains all secrets. */
function failing(text: string): ReadableStream<Uint8Array> {
  let started = false;
  return new ReadableStream({
    pull: (controller) => {
      if (started) controller.error(nested());
      else controller.enqueue(new TextEncoder().encode(text));
      started = true;
    },
  });
}

const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "a status with JSON": () => Response.json({ error: { message: echo, code: key } }, { status: 401 }),
  "a status with text": () => new Response(echo, { status: 500 }),
  "a page": () => new Response(`<h1>${echo}</h1>`, { headers: { "content-type": "text/html" } }),
  "a document in place of a stream": () => Response.json({ error: { message: echo } }),
  "an error event": () =>
    new Response(`event: error\ndata: {"type":"error","error":{"message":"${echo}"}}\n\n`, { headers: sse }),
  "an error line": () => new Response(`{"error":"${echo}"}\n`, { headers: ndjson }),
  "events that are no JSON": () => new Response(`data: {${echo}\n\ndata: {}\n\n`, { headers: sse }),
  "lines that are no JSON": () => new Response(`{"a": ${echo}\n{}\n`, { headers: ndjson }),
  "text that is no stream": () => new Response(`${echo}\n`, { headers: sse }),
  "a stream that breaks off": () => new Response(failing(": \n\n"), { headers: sse }),
  "no answer": () => Promise.reject(nested()),
};

// G-models-8
describe.each(Object.entries(providers))(
  "%s: no error contains a key, in any representation",
  (_, create) => {
    test.each(Object.entries(answers))("%s", async (_name, answer) => {
      const model = create({
        model: "m-1",
        apiKey: key,
        headers: { "x-proxy": word },
        baseURL: "http://localhost:1/v1",
        fetch: () => Promise.resolve(answer()),
        maxRetries: 0,
      });
      const error: unknown = await collect(model.stream("Hi")).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ModelError);
      const shown = inspect(error, { depth: Infinity, showHidden: true });
      for (const secret of [key, word]) expect(shown).not.toContain(secret);
    });
  },
);

import { inspect } from "node:util";
import fc from "fast-check";
import { collect, type ChatModel, last, mergeChunks, ModelError, pipe } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { describe, expect, test } from "vitest";
import { runs } from "../../json/support/runs.js";
import { encodings, shownPart } from "../../text/support/encodings.js";
import { events, lines } from "./support/echoes.js";

const key = "sk-proj-9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const token = "token_of.the~proxy/2b7e151628aed2a6+x=";
const password = "Tr0ub4dor&3-of-the-user";
const secrets: readonly string[] = [key, token, password, btoa(`me:${password}`)];

/** The options of every provider. */
type Options = Parameters<typeof openai>[0] & Parameters<typeof anthropic>[0] & Parameters<typeof ollama>[0];

const providers: Readonly<Record<string, (options: Options) => ChatModel>> = {
  "Chat Completions": (options) => openai({ ...options, api: "chat" }),
  Responses: (options) => openai({ ...options, api: "responses" }),
  Anthropic: anthropic,
  Gemini: gemini,
  Ollama: ollama,
};

/** Answers that repeat a secret, by what they are. `echo` fits into a JSON string. */
const answers: Readonly<Record<string, (provider: string, echo: string) => Response | Promise<Response>>> = {
  "a status with JSON": (_, echo) => json(`{"error":{"message":"${echo}","code":"${echo}","type":"x"}}`, 401),
  "a status with an error object": (_, echo) => json(`{"error":{"a":[{"${echo}":"${echo}"}]}}`, 400),
  "a status with text": (_, echo) => new Response(echo, { status: 500 }),
  "a status with a page": (_, echo) => page(`<pre>${echo}</pre>`, 502),
  "a status with headers": (_, echo) =>
    new Response("", { status: 400, headers: { "x-request-id": header(echo) } }),
  "a redirect": (_, echo) =>
    new Response(null, { status: 302, headers: { location: `/${encodeURIComponent(echo)}` } }),
  "a page": (_, echo) => page(`<h1>${echo}</h1>`, 200),
  "a page of an unusual type": (_, echo) =>
    new Response(echo, { headers: { "content-type": `text/html; x="${header(echo)}"` } }),
  "a document": (_, echo) => json(`{"error":{"message":"${echo}"}}`, 200),
  "a document that is no error": (_, echo) => json(`{"hello":"${echo}"}`, 200),
  "an error event": (provider, echo) => stream(provider, [`{"type":"error","error":{"message":"${echo}"}}`]),
  "an error event with a code": (provider, echo) =>
    stream(provider, [`{"type":"error","request_id":"${echo}","error":{"type":"${echo}","code":"${echo}"}}`]),
  "an error event without a message": (provider, echo) => stream(provider, [`{"error":{"b":["${echo}"]}}`]),
  "an unknown event": (provider, echo) => stream(provider, [`{"x":"${echo}"}`, "[]"]),
  "data that is not JSON": (provider, echo) => stream(provider, [`{${echo}`, "{}"]),
  "data that is cut": (provider, echo) => stream(provider, [`{"a":"${echo}`]),
  "text that is no stream": (_, echo) => new Response(`${echo}\n`, { headers: sse }),
  "content, and a cut": (provider, echo) => stream(provider, contentOf(provider, echo)),
  "content, and an error": (provider, echo) =>
    stream(provider, [...contentOf(provider, echo), `{"type":"error","error":"${echo}"}`]),
  "content, and a broken connection": (provider, echo) =>
    new Response(failing(bodyOf(provider, contentOf(provider, echo)), nested(echo)), { headers: sse }),
  "no answer": (_, echo) => Promise.reject(nested(echo)),
};

const sse = { "content-type": "text/event-stream" };

function json(text: string, status: number): Response {
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}

function page(text: string, status: number): Response {
  return new Response(text, { status, headers: { "content-type": "text/html" } });
}

/** A header value: one line of Latin-1. */
function header(text: string): string {
  return text.replaceAll(/[^ -~]/g, "");
}

function stream(provider: string, payloads: readonly string[]): Response {
  return new Response(bodyOf(provider, payloads), { headers: sse });
}

function bodyOf(provider: string, payloads: readonly string[]): string {
  return payloads.map((data) => (provider === "Ollama" ? `${data}\n` : `data: ${data}\n\n`)).join("");
}

/** The beginning of a message that repeats the secret: as text, reasoning, arguments and unknown fields. */
function contentOf(provider: string, echo: string): readonly string[] {
  return provider === "Ollama" ? lines(echo) : events(provider, echo);
}

/** An error as HTTP clients throw it, with the request inside. */
function nested(echo: string): Error {
  const inner = Object.assign(new Error(echo), {
    code: "ECONNRESET",
    request: { headers: new Headers({ authorization: `Bearer ${header(echo)}` }), sent: Buffer.from(echo) },
  });
  const map = new Map([["authorization", [echo]]]);
  return Object.assign(new TypeError("fetch failed", { cause: new Error("socket", { cause: inner }) }), {
    map,
  });
}

/** A body that fails after this text. */
function failing(text: string, error: Error): ReadableStream<Uint8Array> {
  let started = false;
  return new ReadableStream({
    pull: (controller) => {
      if (started) controller.error(error);
      else controller.enqueue(new TextEncoder().encode(text));
      started = true;
    },
  });
}

/** All that a program can learn from an error by the usual means. */
function shown(error: unknown): string {
  const parts: unknown[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    parts.push(cause.message, cause.stack, String(cause), JSON.stringify(cause), cause.name);
  }
  if (error instanceof ModelError)
    parts.push(error.requestId, error.providerCode, JSON.stringify(error.partial));
  parts.push(inspect(error, { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity }));
  return parts.join("\n");
}

async function errorFor(provider: string, answer: () => Response | Promise<Response>): Promise<unknown> {
  const model = (providers[provider] as (options: Options) => ChatModel)({
    model: "m-1",
    // A key and a user would both be sent in the header Authorization.
    apiKey: provider === "Anthropic" || provider === "Gemini" ? key : "",
    headers: { "x-proxy": `Bearer ${token}`, "x-key": key },
    baseURL: `http://me:${encodeURIComponent(password)}@localhost:1/v1`,
    fetch: () => Promise.resolve(answer()),
    maxRetries: 0,
    timeouts: { idle: Infinity, firstToken: Infinity },
  });
  return collect(model.stream("Hi")).catch((thrown: unknown) => thrown);
}

// G-models-8
describe.each(Object.keys(providers))(
  "%s: no error shows eight characters of a key in a row,",
  (provider) => {
    test.each(Object.entries(answers))("in %s, at any offset and in any encoding", async (_name, answer) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...secrets),
          fc.constantFrom(...Object.values(encodings)),
          fc.nat(320),
          fc.boolean(),
          async (secret, encode, offset, raw) => {
            const text = `${"x".repeat(offset)} Bearer ${encode(secret)} and more`;
            // Raw, an escape of JSON is read by JSON.parse(). Otherwise it is read as it is.
            const echo = raw ? text : JSON.stringify(text).slice(1, -1);
            const error = await errorFor(provider, () => answer(provider, echo));
            expect(error).toBeInstanceOf(ModelError);
            expect(shownPart(shown(error), secret)).toBeUndefined();
          },
        ),
        { numRuns: Math.ceil(runs / 100) },
      );
    });

    test("in a body that is cut anywhere", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...secrets),
          fc.constantFrom(...Object.values(encodings)),
          fc.constantFrom(400, 200),
          fc.nat(),
          async (secret, encode, status, at) => {
            const echo = JSON.stringify(`before ${encode(secret)} after`).slice(1, -1);
            const whole = bodyOf(provider, [...contentOf(provider, echo), `{"error":"${echo}"}`]);
            const body = whole.slice(0, at % (whole.length + 1));
            const error = await errorFor(provider, () => new Response(body, { status, headers: sse }));
            if (error instanceof ModelError) expect(shownPart(shown(error), secret)).toBeUndefined();
          },
        ),
        { numRuns: Math.ceil(runs / 40) },
      );
    });
  },
);

test("the partial message of an error keeps everything but the key", async () => {
  const error = await errorFor("Chat Completions", () =>
    stream("Chat Completions", events("Chat Completions", `it is ${key}, or so`)),
  );
  expect(error).toMatchObject({
    code: "cut",
    partial: {
      content: [{ type: "reasoning" }, { type: "text", text: "it is [key], or so" }, { name: "tool" }],
    },
  });
});

test("the partial message of an error keeps its own names and words, even if a header contains them", async () => {
  const payload = {
    choices: [
      {
        delta: {
          reasoning: "Hm",
          tool_calls: [{ index: 0, id: "c", function: { name: "assistant", arguments: '{"snapshot":1}' } }],
        },
      },
    ],
    metadata: { type: "assistant" },
  };
  const model = openai({
    model: "m-1",
    apiKey: key,
    createId: () => "msg_1",
    headers: { "x-team": "research-assistant", "x-kind": "tool_call_chunk reasoning metadata snapshot" },
    fetch: () => Promise.resolve(stream("Chat Completions", [JSON.stringify(payload)])),
  });
  const error = await collect(model.stream("Hi")).catch((thrown: unknown) => thrown);
  expect((error as ModelError).partial).toEqual({
    role: "assistant",
    id: "msg_1",
    content: [
      { type: "reasoning", reasoning: "Hm", metadata: { type: "[key]" } },
      { type: "tool_call_chunk", id: "c", name: "[key]", args: '{"[key]":1}', snapshot: { "[key]": 1 } },
    ],
    metadata: { "[key]": { type: "[key]" } },
  });
});

test("what the model writes reaches the program as it is", async () => {
  const done = '{"choices":[{"delta":{},"finish_reason":"stop"}]}';
  const model = openai({
    model: "m-1",
    apiKey: key,
    fetch: () => Promise.resolve(stream("Chat Completions", [...events("Chat Completions", key), done])),
  });
  const message = await last(pipe(model.stream("Hi"), mergeChunks()));
  expect(JSON.stringify(message)).toContain(key);
});

test("a cause without a key stays the same object", async () => {
  const cause = Object.assign(new TypeError("fetch failed"), { code: "ECONNREFUSED", address: "127.0.0.1" });
  const error = await errorFor("Ollama", () => Promise.reject(cause));
  expect((error as ModelError).cause).toBe(cause);
});

test("a cause with a key keeps its name, its code and the rest of its message", async () => {
  const cause = Object.assign(new TypeError(`bad header: ${key}!`), { code: "ERR_INVALID_CHAR" });
  const { cause: clean } = (await errorFor("Ollama", () => Promise.reject(cause))) as ModelError;
  expect(clean).toMatchObject({ name: "TypeError", code: "ERR_INVALID_CHAR", message: "bad header: [key]!" });
});

describe("a cause that cannot be read completely", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const getter = {
    get request() {
      return key;
    },
  };
  test.each([
    ["a revoked proxy", proxy],
    ["a getter", getter],
    ["an object that shows itself", { toJSON: () => key, [inspect.custom]: () => key }],
    ["a URL", new URL(`http://me:${encodeURIComponent(password)}@localhost`)],
    ["bytes", Buffer.from(key)],
    ["a function", Object.assign(() => 1, { key })],
    ["a set", new Set([key])],
  ])("%s is replaced by a text", async (_name, part) => {
    const thrown = Object.defineProperty(new Error("it failed"), "part", { value: part, enumerable: true });
    const error = await errorFor("Ollama", () => Promise.reject(thrown));
    expect(error).toMatchObject({ code: "network" });
    for (const secret of secrets) expect(shownPart(shown(error), secret)).toBeUndefined();
  });
});

import type { ServerResponse } from "node:http";
import { type ChatModel, jsonParser, type MessageChunk, ModelError, pipe, textOf } from "millrace";
import { describe, expect, test } from "vitest";
import { outcomeOf, serving } from "../../models/support/models.js";
import type { Answer, TestServer } from "../../models/support/server.js";
import { type ProviderWire, providerWires } from "../../models/support/wires.js";
import { countHeld } from "../../stream/support/garbage.js";

/** The model of a provider, whose requests go to the server. */
function modelAt(server: TestServer, { model }: ProviderWire, maxRetries = 0): ChatModel {
  return model((_url, init) => fetch(server.url, init), { maxRetries });
}

/** Starts an answer with these texts, and keeps it open. */
function say(response: ServerResponse, { name, wire }: ProviderWire, ...texts: readonly string[]): void {
  response.writeHead(200, { "content-type": contentTypeOf(name), "x-request-id": "req_1" });
  for (const piece of [...(wire.start?.() ?? []), ...wire.text(texts, 0)]) response.write(piece);
}

const isLines = (name: string): boolean => name === "Ollama";
const contentTypeOf = (name: string): string =>
  isLines(name) ? "application/x-ndjson" : "text/event-stream; charset=utf-8";

/** Text as one item of the stream: a line, or the data of an event. */
const itemOf = (name: string, text: string): string => (isLines(name) ? `${text}\n` : `data: ${text}\n\n`);

type Break = (response: ServerResponse, provider: ProviderWire) => unknown;

const breaks: readonly (readonly [name: string, breakOff: Break, expected: object])[] = [
  [
    "a destroyed connection",
    (response) => setTimeout(() => response.destroy(), 5),
    { code: "cut", retryable: true, message: expect.stringContaining(": terminated") as string },
  ],
  ["a body that ends early", (response) => response.end(), { code: "cut", retryable: true }],
  [
    "a body that ends inside an event",
    (response, { name }) => response.end(itemOf(name, '{"cont').trimEnd()),
    { code: "cut", retryable: true },
  ],
  [
    "invalid text between events",
    (response, { name }) => response.end(itemOf(name, "<html>")),
    { code: "protocol", excerpt: "<html>" },
  ],
  [
    "an error of the provider",
    (response, { wire }) => {
      for (const piece of wire.error?.("Busy") ?? []) response.write(piece);
      response.end();
    },
    { code: "provider", message: expect.stringContaining("Busy") as string },
  ],
];

describe.each(providerWires)("$name:", (provider) => {
  test("a stream keeps the message for its errors, not its chunks", async () => {
    const { name, wire, model } = provider;
    const pieces = [...(wire.start?.() ?? []), ...wire.text(new Array<string>(1_000).fill("a"), 0)];
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
      },
    });
    const headers = { "content-type": contentTypeOf(name) };
    const stream = model(() => Promise.resolve(new Response(body, { headers }))).stream("Hi");
    const iterator = stream[Symbol.asyncIterator]();
    const chunks: WeakRef<object>[] = [];
    while (chunks.length < 1_000) chunks.push(new WeakRef((await iterator.next()).value as object));
    expect(await countHeld(chunks.slice(0, 900))).toBeLessThan(5);
    await iterator.return?.();
  });

  // G-models-5
  test.each(breaks)(
    "%s is a typed error with the received message, without a retry",
    async (_, breakOff, expected) => {
      const server = await serving((response) => {
        say(response, provider, "Hel", "lo");
        breakOff(response, provider);
      });
      const { chunks, error } = await outcomeOf(modelAt(server, provider, 2).stream("Hi"));
      expect(chunks.map(textOf).join("")).toBe("Hello");
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ requestId: "req_1", ...expected });
      expect(textOf((error as ModelError).partial!)).toBe("Hello");
      expect(server.requests).toHaveLength(1);
    },
  );

  test("the error reaches later stages as the same object, after all chunks", async () => {
    const server = await serving((response) => {
      say(response, provider, '{"title": "Soup", ', '"steps": ["Cut the');
      response.end();
    });
    const seen: unknown[] = [];
    async function* watched(): AsyncGenerator<MessageChunk> {
      try {
        yield* modelAt(server, provider).stream("Hi");
      } catch (error) {
        seen.push(error);
        throw error;
      }
    }
    const snapshots: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const snapshot of pipe(watched(), jsonParser().stream)) snapshots.push(snapshot);
    };
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ModelError", code: "cut" });
    expect(seen).toEqual([expect.toSatisfy((it) => it === error)]);
    expect(snapshots.at(-1)).toEqual({ title: "Soup", steps: ["Cut the"] });
  });

  test.each([
    ["text", "hello\nthere\n", "protocol"],
    ["events that are not JSON", itemOf(provider.name, "hello"), "protocol"],
    // Servers compatible with OpenAI send payloads of their own beside those of the answer.
    [
      "events of another provider",
      itemOf(provider.name, '{"foreign": []}'),
      provider.name === "Chat Completions" ? "cut" : "protocol",
    ],
    ["nothing", "", "cut"],
  ])("an answer with status 200 that sends %s is an error", async (_, body, code) => {
    const answer: Answer = (response) =>
      response.writeHead(200, { "content-type": contentTypeOf(provider.name) }).end(body);
    const { chunks, error } = await outcomeOf(modelAt(await serving(answer), provider).stream("Hi"));
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", code });
  });

  // G-models-7
  test("an abort closes the connection, with its reason as the error", async () => {
    const server = await serving((response) => say(response, provider, "Hel"));
    const controller = new AbortController();
    const reason = new Error("enough");
    const read = async (): Promise<void> => {
      for await (const _ of modelAt(server, provider).stream("Hi", { signal: controller.signal }))
        controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    await server.requests[0]?.left;
  });
});

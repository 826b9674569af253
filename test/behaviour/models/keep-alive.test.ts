import { describe, expect, test } from "vitest";
import { type ChatModel, textOf } from "millrace";
import type { ProviderOptions } from "millrace/models";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { manualClock } from "millrace/testing";
import { errorOf, modelAt, outcomeOf, serving } from "../../models/support/models.js";
import { begin, content, delta, finish } from "../../models/support/server.js";

interface Wire {
  readonly name: string;
  readonly create: (options: ProviderOptions) => ChatModel;
  /** Bytes that a server sends to keep a connection open. They add nothing to the message. */
  readonly keepAlive: string;
  /** A first event that adds nothing, or an empty text. */
  readonly opening: string;
  readonly hello: string;
  readonly end: string;
}

function event(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

const wires: readonly Wire[] = [
  {
    name: "Chat Completions",
    create: openai,
    keepAlive: ": OPENROUTER PROCESSING\n\n",
    opening: event(delta({ role: "assistant", content: "" })),
    hello: event(content("Hello")),
    end: `${event(finish())}data: [DONE]\n\n`,
  },
  {
    name: "Responses",
    create: (options) => openai({ ...options, api: "responses" }),
    keepAlive: ": keep-alive\n\n",
    opening: event({ type: "response.in_progress", response: { id: "r1", status: "in_progress" } }),
    hello:
      event({ type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } }) +
      event({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hello" }),
    end: event({ type: "response.completed", response: { id: "r1", status: "completed" } }),
  },
  {
    name: "Anthropic",
    create: anthropic,
    keepAlive: `event: ping\n${event({ type: "ping" })}`,
    opening: `event: ping\n${event({ type: "ping" })}`,
    hello:
      event({ type: "message_start", message: { id: "msg_1", content: [] } }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "Hello" } }),
    end:
      event({ type: "message_delta", delta: { stop_reason: "end_turn" } }) + event({ type: "message_stop" }),
  },
  {
    name: "Gemini",
    create: gemini,
    keepAlive: ":\n\n",
    opening: ":\n\n",
    hello: event({ candidates: [{ content: { parts: [{ text: "Hello" }] } }] }),
    end: event({ candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }] }),
  },
  {
    name: "Ollama",
    create: ollama,
    keepAlive: "\n",
    opening: `${JSON.stringify({ message: { role: "assistant", content: "" }, done: false })}\n`,
    hello: `${JSON.stringify({ message: { role: "assistant", content: "Hello" }, done: false })}\n`,
    end: `${JSON.stringify({ message: { content: "" }, done: true, done_reason: "stop" })}\n`,
  },
];

const idle = 300;
/** Less than `idle`, but several of them are more. */
const pause = 200;

/**
 * A model whose server sends the pieces one by one, each after a pause in which the model waits for it. Then it closes
 * the connection, or falls silent.
 */
function slowModel(
  { create }: Wire,
  pieces: readonly string[],
  timeouts: ProviderOptions["timeouts"],
  then: "close" | "silence" = "close",
) {
  const clock = manualClock();
  const encoder = new TextEncoder();
  const left = pieces.values();
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        // Without a buffer it is called for each read.
        pull(controller) {
          const { value } = left.next();
          clock.advance(pause);
          if (value !== undefined) controller.enqueue(encoder.encode(value));
          else if (then === "close") controller.close();
          else clock.advance(idle - pause);
        },
      },
      { highWaterMark: 0 },
    );
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body()));
  const model = create({ model: "m-1", apiKey: "k", maxRetries: 0, timeouts, clock, fetch });
  return { clock, answer: model.stream("Hi") };
}

describe.each(wires)("$name: bytes that add nothing to the message", (wire) => {
  const { keepAlive, opening, hello, end } = wire;
  const alive = Array<string>(5).fill(keepAlive);

  test("keep the stream open, before and after its first chunk", async () => {
    const pieces = [opening, ...alive, hello, ...alive, end];
    const { clock, answer } = slowModel(wire, pieces, { firstToken: idle, idle });
    const { chunks, error } = await outcomeOf(answer);
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hello");
    expect(clock.now()).toBeGreaterThanOrEqual(pieces.length * pause);
  });

  test("keep it open also in pieces of one byte", async () => {
    const bytes = Array.from(keepAlive);
    const pieces = [...bytes, hello, ...bytes, end];
    const { answer } = slowModel(wire, pieces, { firstToken: idle, idle });
    const { chunks, error } = await outcomeOf(answer);
    expect(error).toBeUndefined();
    expect(chunks.map(textOf).join("")).toBe("Hello");
  });

  test("do not extend the total time", async () => {
    const pieces = [hello, ...alive, ...alive, end];
    const { answer } = slowModel(wire, pieces, { firstToken: idle, idle, total: 5 * pause });
    const error = await errorOf(answer);
    expect(error).toMatchObject({ code: "timeout", cause: { limit: "total", ms: 5 * pause } });
    expect(textOf(error.partial!)).toBe("Hello");
  });

  test("are followed by a timeout when the server falls silent", async () => {
    const before = slowModel(wire, [opening, ...alive], { firstToken: idle, idle: Infinity }, "silence");
    expect(await errorOf(before.answer)).toMatchObject({
      code: "timeout",
      cause: { limit: "first", ms: idle },
    });
    const after = slowModel(wire, [hello, ...alive], { firstToken: Infinity, idle }, "silence");
    expect(await errorOf(after.answer)).toMatchObject({
      code: "timeout",
      cause: { limit: "idle", ms: idle },
    });
  });
});

test("a comment now and then keeps a real connection open for longer than the idle timeout", async () => {
  const server = await serving((response) => {
    begin(response, content("Hel"));
    let comments = 0;
    const timer = setInterval(() => {
      response.write(": keep-alive\n\n");
      if (++comments < 20) return;
      clearInterval(timer);
      begin(response, content("lo"), finish());
      response.end("data: [DONE]\n\n");
    }, 50);
  });
  const { chunks, error } = await outcomeOf(modelAt(server, { timeouts: { idle: 600 } }).stream("Hi"));
  expect(error).toBeUndefined();
  expect(chunks.map(textOf).join("")).toBe("Hello");
});

/** The delay between a complete tool call and the start of its tool, while the model is still writing. */
import { setTimeout as delay } from "node:timers/promises";
import { counted, type Figure } from "../figures.js";
import { lessThan, met } from "../goals.js";
import { drain } from "../source-and-sink.js";
import { medianOf } from "../statistics.js";
import type { Part } from "../suite.js";
import { schema, tokensOf } from "./answer.js";

/** Microseconds. */
const goal = 1_000;
const warmUps = 20;
const runs = 50;

export const toolStart: Part = {
  text: `## Delay before a tool starts

Microseconds from the last byte of a call to the start of its tool, while the model writes its next call, over ${runs} runs in a warm
process. This includes decoding the provider's events. The goal: less than ${goal.toLocaleString("en")}.`,
  head: ["", "median", "slowest", "met"],
  rows: [1, 100].map((kilobytes) => {
    const median = figureOf(kilobytes, "median", medianOf);
    const slowest = figureOf(kilobytes, "slowest", (waits) => Math.max(...waits));
    return [`${kilobytes} KB of arguments`, median, slowest, met(median, lessThan(goal))];
  }),
};

function figureOf(kilobytes: number, name: string, summarize: (waits: readonly number[]) => number): Figure {
  return counted(`tool start, ${kilobytes} KB, ${name}`, async () => {
    const once = await prepare(kilobytes);
    const waits: number[] = [];
    for (let run = 0; run < warmUps + runs; run++) waits.push(await once());
    return summarize(waits.slice(warmUps));
  });
}

/**
 * A run from the bytes of Chat Completions on. Returns the microseconds from when the last byte that makes a call complete is
 * there (the model goes on to its next call) to when its tool starts.
 */
async function prepare(kilobytes: number): Promise<() => Promise<number>> {
  const { createAgent, tool } = await import("millrace");
  const { openai } = await import("millrace/openai");
  const first = tokensOf(kilobytes).map((args, i) => callEvent(0, args, i === 0));
  const second = callEvent(1, '{"contacts":[]}', true);
  const end = encode("[DONE]");
  let onStart = (): void => {};
  let wait = 0;
  async function write(body: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (const event of first) body.enqueue(event);
    await delay(5); // until all of it was read
    const arrived = performance.now();
    const started = new Promise<number>((resolve) => {
      onStart = () => resolve(performance.now());
    });
    body.enqueue(second);
    wait = ((await started) - arrived) * 1_000;
    body.enqueue(end);
    body.close();
  }
  const fetch = (): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void write(controller) });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const save = tool({ name: "save", schema, returnDirect: true, run: () => onStart() });
  const agent = createAgent({ model: openai({ model: "bench", apiKey: "none", fetch }), tools: [save] });
  return async () => {
    await drain(agent.stream("Save them."));
    return wait;
  };
}

function callEvent(index: number, args: string, isFirst: boolean): Uint8Array {
  const beginning = isFirst ? { id: `call_${index}` } : undefined;
  const call = { index, ...beginning, function: { arguments: args, ...(isFirst && { name: "save" }) } };
  const choice = { index: 0, delta: { tool_calls: [call] }, finish_reason: null };
  return encode(JSON.stringify({ choices: [choice] }));
}

function encode(data: string): Uint8Array {
  return new TextEncoder().encode(`data: ${data}\n\n`);
}

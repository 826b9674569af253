/** The delay between a complete tool call and the start of its tool, while the model is still writing. */
import { setTimeout as delay } from "node:timers/promises";
import type { Section } from "../suite.js";
import { drain } from "../sink.js";
import { medianOf } from "../statistics.js";
import type { CountedCase, Results } from "../suite.js";
import { figure, table } from "../table.js";
import { answerOf, schema, tokensOf } from "./answer.js";

/** Size of the arguments in KB. */
const sizes = [1, 100] as const;
const figures = { median: medianOf, slowest: (values: readonly number[]) => Math.max(...values) } as const;
type Figure = keyof typeof figures;
const figureNames = Object.keys(figures) as Figure[];

/** Microseconds. */
const goal = 1_000;
const warmUps = 20;
const runs = 50;

export const toolStart: Section = {
  cases: sizes.flatMap((size) => figureNames.map((name) => startCase(size, name))),
  smoke: (id) => id === idOf(sizes[0], "median"),
  report,
};

function startCase(size: number, name: Figure): CountedCase {
  return {
    id: idOf(size, name),
    count: async () => {
      const once = await prepare(size);
      for (let run = 0; run < warmUps; run++) await once();
      const waits: number[] = [];
      for (let run = 0; run < runs; run++) waits.push(await once());
      return figures[name](waits);
    },
  };
}

/**
 * A run from the bytes of Chat Completions on. Gives the microseconds from when the last byte that makes a call complete is
 * there (the model goes on to its next call) to when its tool starts.
 */
async function prepare(size: number): Promise<() => Promise<number>> {
  const { createAgent, tool } = await import("millrace");
  const { openai } = await import("millrace/openai");
  let onStart = (): void => {};
  const save = tool({
    name: "save",
    schema,
    returnDirect: true,
    run: () => {
      onStart();
    },
  });
  const first = tokensOf(answerOf(size)).map((args, i) => callEvent(0, args, i === 0));
  const second = callEvent(1, '{"contacts":[]}', true);
  const end = encode("[DONE]");
  let wait = 0;
  async function write(body: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (const event of first) body.enqueue(event);
    await delay(5); // until all of it was read
    const arrived = performance.now();
    const started = new Promise<number>((resolve) => {
      onStart = () => {
        resolve(performance.now());
      };
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
  const agent = createAgent({ model: openai({ model: "bench", apiKey: "none", fetch }), tools: [save] });
  return async () => {
    await drain(agent.stream("Save them."));
    return wait;
  };
}

function callEvent(index: number, args: string, isFirst: boolean): Uint8Array {
  const beginning = isFirst ? { id: `call_${index}` } : undefined;
  const call = { index, ...beginning, function: { arguments: args, ...(isFirst && { name: "save" }) } };
  return encode(
    JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }),
  );
}

function encode(data: string): Uint8Array {
  return new TextEncoder().encode(`data: ${data}\n\n`);
}

function report(results: Results): string {
  const lines = sizes.map((size) => {
    const [median, slowest] = figureNames.map((name) => results.get(idOf(size, name))?.median);
    const met = median === undefined ? "–" : median < goal ? "yes" : "no";
    return [`${size} KB of arguments`, figure(median), figure(slowest), met];
  });
  return `## Delay before a tool starts

Microseconds from the last byte of a call to the start of its tool, while the model writes its next call, over ${runs} runs in a warm
process. This includes decoding the provider's events. The goal: less than ${goal.toLocaleString("en")}.

${table(["", "median", "slowest", "met"], lines)}`;
}

function idOf(size: number, name: Figure): string {
  return `tool start, ${size} KB, ${name}`;
}

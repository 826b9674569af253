/**
 * Runs many agents in a separate process: `load-child URL COUNT`. Prints the leaks as JSON, and
 * ends by itself if no resource remains open.
 */
import { getEventListeners, setMaxListeners } from "node:events";
import { createAgent, textOf, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import { openai } from "millrace/openai";
import { z } from "zod";
import { countHeld, settledHeap } from "../../../stream/support/garbage.js";
import type { LoadReport } from "./load-report.js";

const [url, count] = process.argv.slice(2) as [string, string];
const controller = new AbortController();
const { signal } = controller;
setMaxListeners(0, signal); // from 11 on, Node prints a warning

/** Objects of each run, which must be collected after its end. */
const watched: WeakRef<object>[] = [];

const lookup = tool({
  name: "lookup",
  schema: z.object({ number: z.number() }),
  async *run({ number }, runtime) {
    watched.push(new WeakRef(runtime), new WeakRef(runtime.signal));
    yield "looking";
    return `looked for ${number}`;
  },
});
const schema = z.object({ number: z.number(), name: z.string() }).meta({ title: "Found" });

async function ask(number: number): Promise<boolean> {
  const model = openai({ model: "gpt-4o", baseURL: `${url}/v1`, apiKey: "mock" });
  const agent = createAgent({ model, tools: [lookup], responseFormat: toolStrategy(schema) });
  const { messages, structuredResponse } = await agent.invoke(`Who is ${number}?`, { signal });
  watched.push(new WeakRef(agent), new WeakRef(messages));
  const [result] = messages.filter(({ role }) => role === "tool").map(textOf);
  return result === `looked for ${number}` && structuredResponse.name === `number ${number}`;
}

async function wave(size: number): Promise<number> {
  const right = await Promise.all(Array.from({ length: size }, (_, number) => ask(number)));
  return right.filter(Boolean).length;
}

await wave(50);
const before = await settledHeap();
const right = await wave(Number(count));
// The process waits for responses that are still open, so a response that stays open keeps it alive.
const dispatcher = (globalThis as Record<symbol, unknown>)[Symbol.for("undici.globalDispatcher.1")];
await (dispatcher as { close(): Promise<void> }).close();
const report: LoadReport = {
  right,
  listeners: getEventListeners(signal, "abort").length,
  kept: (await settledHeap()) - before,
  alive: await countHeld(watched),
  timers: process.getActiveResourcesInfo().filter((type) => type === "Timeout").length,
};
console.log(JSON.stringify(report));

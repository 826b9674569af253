/**
 * A process with many clients: `client.ts URL COUNT`. First some read short streams, then the clients that are measured
 * connect over a second. Prints their `Delays`.
 */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { JsonPatch } from "millrace";
import type { Delays } from "./load.js";
import { list } from "../../test/support/random.js";
import {
  interval,
  millisecondsNow,
  patches,
  shortPatches,
  shortPath,
  shortStreams,
  warmUp,
} from "./model.js";

const [url, count] = [process.argv[2] as string, Number(process.argv[3])];
const delays: number[] = [];

await Promise.all(list(shortStreams, () => read(url + shortPath, shortPatches)));
const clients: Promise<void>[] = [];
for (let i = 0; i < count; i++) {
  clients.push(read(url, patches));
  if (i % 10 === 9) await sleep(10_000 / count);
}
await Promise.all(clients);
delays.sort((a, b) => a - b);
const report: Delays = { "p99 delay": delays[Math.floor((delays.length - 1) * 0.99)] ?? 0 };
console.log(JSON.stringify(report));

/** Reads a stream. A lost patch ends the process. */
async function read(from: string, expected: number): Promise<void> {
  let start = 0;
  let text = "";
  let number = 1;
  let isDone = false;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === "done") {
        isDone = true;
        return;
      }
      const now = millisecondsNow();
      for (const operation of JSON.parse(data) as JsonPatch) {
        if (operation.op === "append") text += operation.value;
        else ({ start } = operation.value as { start: number });
        // A patch may contain several tokens, each with its own due time.
        for (; number <= text.length / 4; number++) {
          if (number > warmUp) delays.push(now - (start + number * interval));
        }
      }
    },
  });
  const [response] = (await once(get(from, { agent: false }), "response")) as [IncomingMessage];
  for await (const chunk of response.setEncoding("utf8")) parser.feed(chunk as string);
  if (!isDone || text !== "abcd".repeat(expected)) {
    throw new Error(`A stream has ended after ${number - 1} of ${expected} patches`);
  }
}

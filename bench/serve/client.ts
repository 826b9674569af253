/**
 * A process with many clients: `client.ts URL FORMAT`. First some read short streams, then the clients that are measured
 * connect over a second. Prints the milliseconds from the time a patch was due until it was read, at p99.
 */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { list } from "../../test/support/random.js";
import { formats } from "./formats.js";
import { interval, millisecondsNow, patches, shortPatches, shortStreams, streams, warmUp } from "./model.js";

const delays: number[] = [];

await Promise.all(list(shortStreams, () => read(shortPatches)));
const clients: Promise<void>[] = [];
for (let i = 0; i < streams; i++) {
  clients.push(read(patches));
  if (i % 10 === 9) await sleep(10_000 / streams);
}
await Promise.all(clients);
delays.sort((a, b) => a - b);
console.log(delays[Math.floor((delays.length - 1) * 0.99)]);

/** Reads a stream of so many patches. A lost one ends the process. */
async function read(expected: number): Promise<void> {
  let start = 0;
  let text = "";
  let number = 1;
  let isDone = false;
  const feed = formats[process.argv[3] ?? ""]?.({
    onStart: (time) => {
      start = time;
    },
    onText: (more) => {
      text += more;
      const now = millisecondsNow();
      // A patch may contain several tokens, each with its own due time.
      for (; number <= text.length / 4; number++) {
        if (number > warmUp) delays.push(now - (start + number * interval));
      }
    },
    onDone: () => {
      isDone = true;
    },
  });
  const request = get(`${process.argv[2]}/${expected}`, { agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  for await (const chunk of response.setEncoding("utf8")) feed?.(chunk as string);
  if (!isDone || text !== "abcd".repeat(expected)) {
    throw new Error(`A stream has ended after ${number - 1} of ${expected} patches`);
  }
}

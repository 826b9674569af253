/** Many concurrent streams: delay of the patches and cost per stream. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JsonPatch } from "millrace";
import { counted, kilobytes, rounded } from "../figures.js";
import type { Part } from "../suite.js";
import { model, type Received, warmUp } from "./model.js";

const ways = {
  "each patch an event": async () => {
    const { toEventStream } = await import("millrace/serve");
    return (patches) => toEventStream(patches);
  },
  "each patch an event, from memoryLog()": async () => {
    const { memoryLog, toEventStream } = await import("millrace/serve");
    const log = memoryLog({ maxRuns: 10_000 });
    let runs = 0;
    return (patches) => toEventStream(patches, { log, id: `run-${++runs}` });
  },
  "an event in 50 ms, by throttle()": async () => {
    const { joinPatches, toEventStream } = await import("millrace/serve");
    const { throttle } = await import("millrace");
    const together = throttle(50, { merge: joinPatches });
    return (patches) => toEventStream(together(patches));
  },
} satisfies Record<string, () => Promise<(patches: AsyncIterable<JsonPatch>) => Response>>;

type Way = keyof typeof ways;

const rows: readonly (readonly [streams: number, way: Way])[] = [
  [100, "each patch an event"],
  [1_000, "each patch an event"],
  [1_000, "each patch an event, from memoryLog()"],
  [1_000, "an event in 50 ms, by throttle()"],
];

const figureNames = ["median delay", "p99 delay", "processor", "memory"] as const;
type FigureName = (typeof figureNames)[number];

/** Patches per stream: the warm-up and five seconds. */
const patches = warmUp + 250;

/** Pending connections: more than Node's default of 511, because a busy machine accepts them late. */
const backlog = 4_096;

export const load: Part = {
  text: `## Many streams at once

One server process with \`node:http\` and one process with all clients on the same machine. Each stream has 50 patches
per second for 5 s after a warm-up of 2 s. Delay: milliseconds from the time the model's token was due until the client
read it, over all patches. Processor: microseconds (user and system) of the server process per patch, including the
timers of the model; 1,000 streams send 50,000 patches per second, so above 20 one process cannot keep up. Memory: per
stream, at its start. Each client counts its patches and checks the final value; a lost patch fails the run.`,
  head: ["", ...figureNames],
  rows: rows.map(([streams, way]) => [
    `${streams.toLocaleString("en")} streams, ${way}`,
    ...figureNames.map((name) => {
      const count = async (): Promise<number> => (await loadOf(streams, way))[name];
      const format = name === "memory" ? kilobytes : rounded;
      return counted(`load, ${streams} streams, ${way}, ${name}`, count, format);
    }),
  ]),
};

/** This process serves. The clients run in another one. */
async function loadOf(streams: number, way: Way): Promise<Record<FigureName, number>> {
  const { toNodeResponse } = await import("millrace/serve");
  const respond = await ways[way]();
  const before = memoryInUse();
  const spent = process.cpuUsage();
  let [begun, kept] = [0, 0];
  const server = createServer((_, response) => {
    void toNodeResponse(respond(model(patches)), response);
    if (++begun === streams) kept = memoryInUse() - before;
  });
  await once(server.listen(0, "127.0.0.1", backlog), "listening");
  const { port } = server.address() as AddressInfo;
  const args = ["--import", "tsx", "bench/serve/client.ts", `http://127.0.0.1:${port}`];
  const clients = spawn(process.execPath, [...args, String(streams), String(patches)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { received, whole, median, p99 } = JSON.parse(await text(clients.stdout)) as Received;
  const { user, system } = process.cpuUsage(spent);
  server.close();
  if (whole !== streams || received !== streams * patches) {
    const expected = `${streams} streams with ${streams * patches} patches`;
    throw new Error(`Of ${expected}, ${whole} streams and ${received} patches have arrived`);
  }
  return {
    "median delay": median,
    "p99 delay": p99,
    processor: (user + system) / received,
    memory: kept / streams,
  };
}

/** After garbage collection, without the buffers of the kernel. */
function memoryInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

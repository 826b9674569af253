/** Many concurrent streams: delay of the patches and cost per stream. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JsonPatch } from "millrace";
import { counted, type Figure, kilobytes, quotient, rounded } from "../harness/figures.js";
import { goal, type Goal, type Part } from "../harness/suite.js";
import { namesOf } from "../harness/tables.js";
import { model, patches, shortPatches, shortPath, shortStreams } from "./model.js";

/** Answers a request with the patches of a model. */
type Respond = (response: ServerResponse, source: AsyncIterable<JsonPatch>) => unknown;

const floor = "bare `node:http`";
const each = "each patch an event";

const ways = {
  [floor]: async () => write,
  [each]: async () => {
    const { toEventStream, toNodeResponse } = await import("millrace/serve");
    return (response, source) => toNodeResponse(toEventStream(source), response);
  },
  "each patch an event, from memoryLog()": async () => {
    const { memoryLog, toEventStream, toNodeResponse } = await import("millrace/serve");
    const log = memoryLog({ maxRuns: 10_000 });
    let runs = 0;
    return (response, source) =>
      toNodeResponse(toEventStream(source, { log, id: `run-${++runs}` }), response);
  },
  "an event in 50 ms, by throttle()": async () => {
    const { joinPatches, toEventStream, toNodeResponse } = await import("millrace/serve");
    const { throttle } = await import("millrace");
    const together = throttle(50, { merge: joinPatches });
    return (response, source) => toNodeResponse(toEventStream(together(source)), response);
  },
} satisfies Record<string, () => Promise<Respond>>;

/** The floor: the same bytes as "each patch an event", with no library between the model and the socket. */
async function write(response: ServerResponse, source: AsyncIterable<JsonPatch>): Promise<void> {
  response.setHeader("content-type", "text/event-stream; charset=utf-8");
  response.setHeader("cache-control", "no-cache, no-transform");
  response.setHeader("x-accel-buffering", "no");
  response.setHeader("x-content-type-options", "nosniff");
  response.write(":\n\n");
  let id = 0;
  for await (const patch of source) response.write(`id: ${++id}\ndata: ${JSON.stringify(patch)}\n\n`);
  response.end('event: done\ndata: {"reason":"complete"}\n\n');
}

type Way = keyof typeof ways;

const rows: readonly (readonly [streams: number, way: Way])[] = [
  [100, floor],
  [100, each],
  ...namesOf(ways).map((way) => [1_000, way] as const),
];

const figureNames = ["median delay", "p99 delay", "processor", "memory"] as const;
type FigureName = (typeof figureNames)[number];

/** Milliseconds from the time a patch was due until it was read. */
export type Delays = Record<"median delay" | "p99 delay", number>;

/** Pending connections: more than Node's default of 511, because a busy machine accepts them late. */
const backlog = 4_096;

export const load: Part = {
  text: `## Many streams at once

One server process with \`node:http\` and one process with all clients on the same machine. Each stream has 50 patches
per second for 4 s after a warm-up of 2 s. ${shortStreams} short streams end before that, because streams of a server
end all the time. Delay: milliseconds from the time the model's token was due until the client read it, over all patches.
Processor: microseconds (user and system) of the server process per patch, including the timers of the model; 1,000
streams send 50,000 patches per second, so above 20 one process cannot keep up. The floor is a bare \`node:http\` server
that writes the bytes of "each patch an event". Memory: per stream, at its start. Each client counts its patches and
checks the final value; a lost patch fails the run.`,
  head: ["", ...figureNames, "of the floor"],
  rows: rows.map(([streams, way]) => [
    `${streams.toLocaleString("en")} streams, ${way}`,
    ...figureNames.map((name) => figureOf(streams, way, name)),
    ofFloor(streams, way),
  ]),
};

export const loadGoals: readonly Goal[] = [
  goal(`1,000 streams, ${each}: processor time, of ${floor}`, ofFloor(1_000, each), "≤ 1.5", { main: true }),
  goal(`1,000 streams, ${each}: p99 delay, ms`, figureOf(1_000, each, "p99 delay"), "≤ 40", { main: true }),
];

function ofFloor(streams: number, way: Way): Figure {
  return quotient(figureOf(streams, way, "processor"), figureOf(streams, floor, "processor"));
}

function figureOf(streams: number, way: Way, name: FigureName): Figure {
  const count = async (): Promise<number> => (await loadOf(streams, way))[name];
  const format = name === "memory" ? kilobytes : rounded;
  return counted(`load, ${streams} streams, ${way}, ${name}`, count, format);
}

/** This process serves. The clients run in another one. */
async function loadOf(streams: number, way: Way): Promise<Record<FigureName, number>> {
  const respond: Respond = await ways[way]();
  const spent = process.cpuUsage();
  let [begun, before, kept] = [0, 0, 0];
  const server = createServer(({ url }, response) => {
    const isShort = url === shortPath;
    if (!isShort && ++begun === 1) before = memoryInUse();
    void respond(response, model(isShort ? shortPatches : patches));
    if (!isShort && begun === streams) kept = memoryInUse() - before;
  });
  await once(server.listen(0, "127.0.0.1", backlog), "listening");
  const { port } = server.address() as AddressInfo;
  const args = ["--import", "tsx", "bench/serve/client.ts", `http://127.0.0.1:${port}`, String(streams)];
  const clients = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const delays = (await json(clients.stdout)) as Delays; // nothing to read if a patch was lost
  const { user, system } = process.cpuUsage(spent);
  server.close();
  return { ...delays, processor: (user + system) / (streams * patches), memory: kept / streams };
}

/** After garbage collection, without the buffers of the kernel. */
function memoryInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

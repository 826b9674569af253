/** Many concurrent streams: delay of the patches and cost per stream. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JsonPatch } from "millrace";
import type { Section } from "../suite.js";
import { figure, kilobytes, table } from "../table.js";
import type { CountedCase, Results } from "../suite.js";
import { interval, model, type Received, warmUp } from "./model.js";

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

const rows: readonly { readonly streams: number; readonly way: Way }[] = [
  { streams: 100, way: "each patch an event" },
  { streams: 1_000, way: "each patch an event" },
  { streams: 1_000, way: "each patch an event, from memoryLog()" },
  { streams: 1_000, way: "an event in 50 ms, by throttle()" },
];
type Row = (typeof rows)[number];

const figures = ["median delay", "p99 delay", "processor", "memory"] as const;
type Figure = (typeof figures)[number];

/** Pending connections: more than Node's default of 511, because a busy machine accepts them late. */
const backlog = 4_096;

/** Patches per stream: the warm-up and five seconds. */
const patches = warmUp + 250;

export const load: Section = {
  cases: rows.flatMap((row) => figures.map((name) => loadCase(row, name))),
  smoke: (id) => (["p99 delay", "memory"] as const).some((name) => id === idOf(rows[0] as Row, name)),
  report,
};

function loadCase(row: Row, name: Figure): CountedCase {
  return { id: idOf(row, name), count: async () => (await measured(row))[name] };
}

/** This process serves. The clients run in another one. */
async function measured({ streams, way }: Row): Promise<Record<Figure, number>> {
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
  const got = JSON.parse(await text(clients.stdout)) as Received;
  const { user, system } = process.cpuUsage(spent);
  server.close();
  if (got.whole !== streams || got.patches !== streams * patches)
    throw new Error(
      `${got.patches} of ${streams * patches} patches arrived, ${got.whole} of ${streams} streams complete`,
    );
  return {
    "median delay": got.median,
    "p99 delay": got.p99,
    processor: (user + system) / got.patches,
    memory: kept / streams,
  };
}

/** After garbage collection, without the buffers of the kernel. */
function memoryInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function report(results: Results): string {
  const lines = rows.map((row) => {
    const [median, p99, processor, memory] = figures.map((name) => results.get(idOf(row, name))?.median);
    return [
      `${row.streams.toLocaleString("en")} streams, ${row.way}`,
      figure(median),
      figure(p99),
      figure(processor),
      kilobytes(memory),
    ];
  });
  return `## Many streams at once

One server process with \`node:http\` and one process with all clients on the same machine. Each stream has ${1_000 / interval} patches per
second for ${((patches - warmUp) * interval) / 1_000} s after a warm-up of ${(warmUp * interval) / 1_000} s. Delay: milliseconds from the time the model's token was due until the
client read it, over all patches. Processor: microseconds (user and system) of the server process per patch, including the model's
timers; 1,000 streams send 50,000 patches per second, so above 20 one process cannot keep up. Memory: per stream, at its start.
Each client counts its patches and checks the final value; a lost patch fails the run.

${table(["", "median delay", "p99 delay", "processor", "memory"], lines)}`;
}

function idOf({ streams, way }: Row, name: Figure): string {
  return `load, ${streams} streams, ${way}, ${name}`;
}

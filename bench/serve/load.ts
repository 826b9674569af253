/** Many streams at once: how late patches come, and what a stream costs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { JsonPatch } from "millrace";
import type { Section } from "../section.js";
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

/** How many connections may wait to be taken: Node's 511 are less than come while a busy machine stands still. */
const backlog = 4_096;

/** Of each stream: the warm-up, and five seconds. */
const patches = warmUp + 250;

export const load: Section = {
  cases: rows.flatMap((row) => figures.map((name) => loadCase(row, name))),
  smoke: (id) => (["p99 delay", "memory"] as const).some((name) => id === idOf(rows[0] as Row, name)),
  report,
};

function loadCase(row: Row, name: Figure): CountedCase {
  return { id: idOf(row, name), count: async () => (await measured(row))[name] };
}

/** This process serves; the clients are in one of their own. */
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
      `Of ${streams * patches} patches of ${streams} streams ${got.patches} came, and ${got.whole} whole`,
    );
  return {
    "median delay": got.median,
    "p99 delay": got.p99,
    processor: (user + system) / got.patches,
    memory: kept / streams,
  };
}

/** Without what is garbage. The buffers of the kernel are not in it. */
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

A server process with \`node:http\`, and a process with all of its clients on the same machine. Each stream is one of ${1_000 / interval} patches a second, for
${((patches - warmUp) * interval) / 1_000} s after ${(warmUp * interval) / 1_000} s to warm up. Delay: milliseconds from when the model's token was due to when the client had read it, of all patches of all
streams. Processor: microseconds of the server's process (user and system) a patch, the model's timers included; 1,000 streams need 50,000 a
second, so that above 20 one process cannot keep up. Memory: of a stream that has just begun. No patch was lost: each client counts its
patches and checks the value at the end, and else there is no figure.

${table(["", "median delay", "p99 delay", "processor", "memory"], lines)}`;
}

function idOf({ streams, way }: Row, name: Figure): string {
  return `load, ${streams} streams, ${way}, ${name}`;
}

/** The bytes of a stream on the wire, compared with streams without patches or without `append`. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { JsonPatch, JsonValue } from "millrace";
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";
import { quotient } from "../statistics.js";
import type { Section } from "../suite.js";
import type { CountedCase, Results } from "../suite.js";
import { figure, kilobytes, ratio, table } from "../table.js";

/** In KB. */
const size = 40;
const documents = ["strings", "contacts"] as const;
type Document = (typeof documents)[number];

const ways = {
  "millrace, append": async (text) => {
    const { from, jsonParser, pipe } = await import("millrace");
    return pipe(from(blocks(text, 4)), jsonParser(undefined, { append: true }).patches);
  },
  "millrace, append, 10 tokens an event": async (text) => {
    const { batch, from, jsonParser, map, pipe } = await import("millrace");
    const { joinPatches } = await import("millrace/serve");
    return pipe(
      from(blocks(text, 4)),
      jsonParser(undefined, { append: true }).patches,
      batch<JsonPatch>(10),
      map((patches) => patches.reduce(joinPatches)),
    );
  },
  "RFC 6902, replace": async (text) => {
    const { from, jsonParser, pipe } = await import("millrace");
    return pipe(from(blocks(text, 4)), jsonParser().patches);
  },
  "the whole value each time": async (text) => {
    const { from, jsonParser, map, pipe } = await import("millrace");
    const whole = map((value: unknown): JsonPatch => [
      { op: "replace", path: "", value: value as JsonValue },
    ]);
    return pipe(from(blocks(text, 4)), jsonParser().stream, whole);
  },
} satisfies Record<string, (text: string) => Promise<AsyncIterable<JsonPatch>>>;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];
const [ours, , replace, snapshots] = wayNames as [Way, Way, Way, Way];

const goals = [
  { document: "strings", way: snapshots, goal: 50 },
  { document: "contacts", way: snapshots, goal: 50 },
  { document: "strings", way: replace, goal: 10 },
] as const;

export const wire: Section = {
  cases: documents.flatMap((document) => wayNames.map((way) => wireCase(document, way))),
  smoke: (id) => [ours, replace].some((way) => id === idOf("contacts", way)),
  report,
};

function wireCase(document: Document, way: Way): CountedCase {
  return {
    id: idOf(document, way),
    count: async () => bytesOf(await ways[way](inputs[document](size * 1024))),
  };
}

/** All bytes of the connection: HTTP, chunks, event framing and ids. */
async function bytesOf(patches: AsyncIterable<JsonPatch>): Promise<number> {
  const { toEventStream, toNodeResponse } = await import("millrace/serve");
  const server = createServer((_, response) => void toNodeResponse(toEventStream(patches), response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  let bytes = 0;
  for await (const chunk of socket) bytes += (chunk as Buffer).length;
  server.close();
  return bytes;
}

function report(results: Results): string {
  const bytes = (document: Document, way: Way): number | undefined =>
    results.get(idOf(document, way))?.median;
  const lines = wayNames.map((way) => [way, ...documents.map((document) => kilobytes(bytes(document, way)))]);
  const met = goals.map(({ document, way, goal }) => {
    const times = quotient(bytes(document, way), bytes(document, ours));
    return [
      `${document}: ${way}`,
      ratio(times),
      figure(goal),
      times === undefined ? "–" : times >= goal ? "yes" : "no",
    ];
  });
  return `## Bytes on the wire

A document of ${size} KB in chunks of 4 characters, each sent at once: all bytes of the connection, including HTTP and event framing.
\`strings\` is four strings of 10 KB, \`contacts\` small records.

${table(["", ...documents], lines)}

Bytes divided by ours (${ours}), and the goal:

${table(["", "times", "at least", "met"], met)}`;
}

function idOf(document: Document, way: Way): string {
  return `bytes, ${document}, ${way}`;
}

/** Many concurrent streams: delay of the patches and cost per stream; and the bytes of a stream on the wire. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type * as Millrace from "millrace";
import type { StreamFormat } from "millrace/serve";
import type { JsonPatch, JsonValue } from "millrace";
import { counted, type Figure, kilobytes, quotient } from "../harness/figures.js";
import { compared, goal, type Goal, type Part, type Suite } from "../harness/suite.js";
import { grid, namesOf } from "../harness/tables.js";
import { inputs } from "../inputs.js";
import { blocks } from "../../test/support/pieces.js";
import { model, patches, shortStreams, streams } from "./model.js";

/** Answers a request with the patches of a model. */
type Respond = (response: ServerResponse, source: AsyncIterable<JsonPatch>) => unknown;

const floor = "bare `node:http`";
const each = "each patch an event";
const compact = "compact lines";
const tokens = "bare `node:http`, each token";

/** How a server answers, and the format that its clients read (formats.ts). */
interface Way {
  readonly format: string;
  readonly respond: () => Promise<Respond>;
}

const ways = {
  [floor]: { format: "sse", respond: async () => write },
  [tokens]: { format: "text", respond: async () => writeTokens },
  [each]: { format: "sse", respond: () => toNode("sse") },
  [compact]: { format: "compact", respond: () => toNode("compact") },
} satisfies Record<string, Way>;

async function toNode(format: StreamFormat): Promise<Respond> {
  const { toEventStream, toNodeResponse } = await import("millrace/serve");
  return (response, source) => toNodeResponse(toEventStream(source, { format }), response);
}

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

/** The floor of everything that sends each token: the text alone, as it comes. */
async function writeTokens(response: ServerResponse, source: AsyncIterable<JsonPatch>): Promise<void> {
  response.setHeader("content-type", "text/plain; charset=utf-8");
  for await (const [operation] of source) {
    if (operation?.op === "append") response.write(operation.value);
    else response.write(`${String((operation?.value as { readonly start: number }).start)}\n`);
  }
  response.end(".");
}

/** Pending connections: more than Node's default of 511, because a busy machine accepts them late. */
const backlog = 4_096;

const [ourDelay, theirDelay] = [figureOf(each, "p99 delay"), figureOf(floor, "p99 delay")];

const loadGoals: readonly Goal[] = [
  compared(
    `1,000 streams, ${each}: processor time, of ${floor}`,
    figureOf(each, "processor"),
    figureOf(floor, "processor"),
    "≤ 1.5",
    true,
  ),
  {
    ...goal(`1,000 streams, ${each}: p99 delay, ms`, ourDelay, "≤ 40"),
    times: [ourDelay, theirDelay],
    main: true,
  },
  compared(
    `1,000 streams, ${compact}: processor time, of ${tokens}`,
    figureOf(compact, "processor"),
    figureOf(tokens, "processor"),
    "≤ 1.0",
    true,
  ),
];

/** This process serves. The clients run in another one. */
function figureOf(way: keyof typeof ways, name: "processor" | "p99 delay"): Figure {
  const figure = counted(`load, ${way}, ${name}`, async () => {
    const { format } = ways[way];
    const respond: Respond = await ways[way].respond();
    const spent = process.cpuUsage();
    const server = createServer(({ url }, response) => {
      void respond(response, model(Number(url?.slice(1))));
    });
    await once(server.listen(0, "127.0.0.1", backlog), "listening");
    const { port } = server.address() as AddressInfo;
    const args = ["--import", "tsx", "bench/serve/client.ts", `http://127.0.0.1:${port}`, format];
    const clients = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const delay = (await json(clients.stdout)) as number; // nothing to read if a patch was lost
    const { user, system } = process.cpuUsage(spent);
    server.close();
    return name === "p99 delay" ? delay : (user + system) / (streams * patches);
  });
  return { ...figure, unit: () => (name === "p99 delay" ? "ms" : "µs") };
}

/** In KB. */
const size = 40;
const documents = ["strings", "contacts"] as const;
type Document = (typeof documents)[number];

const encodings = {
  "millrace, compact": ({ jsonParser }) => jsonParser(undefined, { append: true }).patches,
  "millrace, append": ({ jsonParser }) => jsonParser(undefined, { append: true }).patches,
  "RFC 6902, replace": ({ jsonParser }) => jsonParser().patches,
  "the whole value each time": ({ jsonParser, map }) => {
    const whole = map((value: unknown): JsonPatch => [
      { op: "replace", path: "", value: value as JsonValue },
    ]);
    return (tokens) => whole(jsonParser().stream(tokens));
  },
} satisfies Record<string, (of: typeof Millrace) => Stage>;

type Stage = (tokens: AsyncIterable<string>) => AsyncIterable<JsonPatch>;
type Encoding = keyof typeof encodings;

const wire: Part = grid({
  text: `## Bytes on the wire

A document of ${size} KB in chunks of 4 characters, each sent at once: the bytes of the response with all its events.
\`strings\` is four strings of 10 KB, \`contacts\` small records.`,
  rows: namesOf(encodings),
  columns: documents,
  cell: (encoding, document) => bytesOf(document, encoding),
});

const wireGoals: readonly Goal[] = [
  ...documents.map((it) => {
    const result = times(it, "the whole value each time");
    return goal(`${it}: bytes of the whole value each time divided by ours`, result, "≥ 50");
  }),
  goal("strings: bytes of `replace` divided by ours", times("strings", "RFC 6902, replace"), "≥ 10"),
];

function times(document: Document, other: Encoding): Figure {
  return quotient(bytesOf(document, other), bytesOf(document, "millrace, append"));
}

function bytesOf(document: Document, encoding: Encoding): Figure {
  const count = async (): Promise<number> => {
    const { toEventStream } = await import("millrace/serve");
    const millrace = await import("millrace");
    const tokens = millrace.from(blocks(inputs[document](size * 1024), 4));
    const patches = encodings[encoding](millrace)(tokens);
    const options = encoding === "millrace, compact" ? ({ format: "compact", flush: "patch" } as const) : {};
    return (await toEventStream(patches, options).arrayBuffer()).byteLength;
  };
  return counted(`bytes, ${document}, ${encoding}`, count, kilobytes);
}

export const serve: Suite = {
  name: "serve",
  smoke: /^load, each.*, p99 delay$|^bytes, contacts, (millrace, append|RFC 6902, replace)$/,
  intro: `Many streams at once: one server process with \`node:http\` and one process with all clients
on the same machine. Each stream has 50 patches per second for 4 s after a warm-up of 2 s. ${shortStreams} short streams
end before that, because streams of a server end all the time. Delay: milliseconds from the time the model's token was
due until the client read it, over all patches. Processor: microseconds (user and system) of the server process per
patch, including the timers of the model; 1,000 streams send 50,000 patches per second, so above 20 one process cannot
keep up. A bare \`node:http\` server that writes the same bytes is the floor. Compact lines are compared with one that
writes each token alone. Each client counts its patches and checks
the final value; a lost patch fails the run.`,
  goals: [...loadGoals, ...wireGoals],
  parts: [wire],
};

/** Decoding the bytes of a provider's stream into message chunks, and merging the chunks, beside other libraries. */
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import type { MessageChunk, Operator } from "millrace";
import type { SseEvent } from "millrace/models";
import type { ChatCompletionChunk } from "openai-7/resources/chat/completions";
import { type Cell, type Figure, perToken, timed } from "./harness/figures.js";
import { type Bound, compared, type Goal, type Part, type Suite } from "./harness/suite.js";
import { grid, namesOf, quotients, withFlatness } from "./harness/tables.js";
import { inputs } from "./inputs.js";
import { callChunks, langChainChunks, messageEventsOf, textChunks, textEventsOf } from "./model-streams.js";
import { readsOf, responseOf } from "../test/support/provider-events.js";
import { int, list, pick, randomOf } from "../test/support/random.js";
import { drain, keep } from "./reading.js";

/** Reads an answer to its end. Its text proves that each decoder did the same work. */
type ReadAnswer = (answer: Response, add: (text: string) => void) => Promise<void>;

const decoders = {
  millrace: async () => millrace((await import("millrace/openai")).decodeOpenAIChat),
  "openai SDK": async () => {
    const { Stream } = await import("openai-7/streaming");
    return sdk(Stream, ({ choices }: ChatCompletionChunk) => choices[0]?.delta.content ?? "");
  },
  "millrace, Messages": async () => millrace((await import("millrace/anthropic")).decodeAnthropic),
  "Anthropic SDK, Messages": async () => {
    const { Stream } = await import("@anthropic-ai/sdk/core/streaming");
    return sdk(Stream, (event: RawMessageStreamEvent) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? event.delta.text : "",
    );
  },

  /** Its provider without `streamText`. */
  "AI SDK": async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    let answer: Response | undefined;
    const fetch = (): Promise<Response> => Promise.resolve(answer as Response);
    const provider = createOpenAICompatible({ name: "peer", baseURL: "http://localhost/v1", fetch });
    const model = provider.chatModel("m");
    return async (next, add) => {
      answer = next;
      const content = [{ type: "text" as const, text: "Hi" }];
      const { stream } = await model.doStream({ prompt: [{ role: "user", content }] });
      await readAll(stream, (part) => part.type === "text-delta" && add(part.delta));
    };
  },

  /** The lower bound. */
  "reads alone": async () => (answer) => readAll(answer.body as ReadableStream<Uint8Array>, keep),
} satisfies Readonly<Record<string, () => Promise<ReadAnswer>>>;

async function millrace(decode: () => Operator<SseEvent, MessageChunk>): Promise<ReadAnswer> {
  const { from, pipe, textOf } = await import("millrace");
  const { decodeSse } = await import("millrace/models");
  return async (answer, add) => {
    for await (const chunk of pipe(from(answer), decodeSse(), decode())) add(textOf(chunk));
  };
}

/** The SDKs of OpenAI and Anthropic have the same class. */
function sdk<Event>(
  stream: { fromSSEResponse(answer: Response, controller: AbortController): AsyncIterable<Event> },
  textOf: (event: Event) => string,
): ReadAnswer {
  return async (answer, add) => {
    const events = stream.fromSSEResponse(answer, new AbortController());
    for await (const event of events) add(textOf(event));
  };
}

type DecoderName = keyof typeof decoders;

/** The number of events, without the end marker. */
const eventCount = 20_000;

/** The bytes of a read. */
const reads = { "one event": undefined, "64 B": 64, "1 KB": 1024, "16 KB": 16 * 1024 };

const times = {
  text: `## From bytes to message chunks

${eventCount.toLocaleString("en")} server-sent events of Chat Completions or of Anthropic's Messages, by the size of the
reads. Nanoseconds per event, which has one token; lower is better. The last row is the lower bound: it only reads the bytes.`,
  rows: namesOf(decoders),
  columns: namesOf(reads),
  cell: timeOf,
};

const decoding: readonly Part[] = [
  grid(times),
  quotients(times, "Their time divided by ours: higher is better for us.", [
    ["openai SDK", "millrace"],
    ["Anthropic SDK, Messages", "millrace, Messages"],
    ["AI SDK", "millrace"],
    ["reads alone", "millrace"],
  ]),
];

/** Small reads are the hardest: the web stream alone takes a third of our time. */
const decodingGoals: readonly Goal[] = [faster("openai SDK", "≥ 2.5"), faster("AI SDK", "≥ 4")];

function faster(than: DecoderName, bound: Bound): Goal {
  const name = `reads of 64 bytes: time of the ${than} divided by ours`;
  return compared(name, timeOf("millrace", "64 B"), timeOf(than, "64 B"), bound, true);
}

/** Nanoseconds per event. */
function timeOf(name: DecoderName, read: keyof typeof reads): Figure {
  const cost = timed(`${name}, ${read}`, async () => {
    const decode = await decoders[name]();
    const tokens = tokensOf(eventCount - 2);
    const events = name.endsWith("Messages") ? messageEventsOf(tokens) : textEventsOf(tokens);
    const size = reads[read];
    const pieces = size === undefined ? events : readsOf(events, size);
    const expected = tokens.join("");
    const run = async (): Promise<void> => {
      let text = "";
      await decode(responseOf(pieces), (more) => (text += more));
      if (text !== "" && text !== expected) throw new Error(`${name} has read another text`);
    };
    return { units: eventCount, run };
  });
  return perToken(cost);
}

/** A text of tokens of 1 to 8 characters. */
function tokensOf(count: number): string[] {
  const random = randomOf(11);
  const letters = "abcdefghijklmnopqrstuvwxyz     \n";
  return list(count, () => list(int(random, 1, 8), () => pick(random, letters)).join(""));
}

async function readAll<T>(stream: ReadableStream<T>, take: (part: T) => unknown): Promise<void> {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
}

/** One-character deltas. */
const messages = { text: textChunks, "tool call": callChunks };
type Message = keyof typeof messages;

const mergers = {
  mergeChunks: async (chunks) => {
    const { from, mergeChunks, pipe } = await import("millrace");
    return () => drain(pipe(from(chunks), mergeChunks()));
  },
  mergeChunk: async (chunks) => {
    const { mergeChunk } = await import("millrace");
    return () => keep(chunks.reduce((whole, chunk) => mergeChunk(whole, chunk)));
  },
  "LangChain.js concat": async (chunks) => {
    const theirs = await langChainChunks(chunks);
    return () => keep(theirs.reduce((whole, chunk) => whole.concat(chunk)));
  },
} satisfies Readonly<Record<string, (chunks: readonly MessageChunk[]) => Promise<() => unknown>>>;

type MergerName = keyof typeof mergers;

const merging: Part = withFlatness(
  grid({
    text: `## Merging

One message in one-character deltas. Nanoseconds per delta (lower is better); "flat within" is the highest of these divided by the lowest.
The chunks are created beforehand. \`mergeChunk\` and \`concat\` merge two chunks. \`mergeChunks\` reads a stream,
parses growing arguments and yields a snapshot after each delta.`,
    rows: namesOf(mergers).flatMap((merger) =>
      namesOf(messages).map((message) => `${merger}, ${message}` as const),
    ),
    columns: [1_000, 8_000, 32_000, 100_000],
    heading: (count) => count.toLocaleString("en"),
    cell: (name, count): Cell =>
      // It takes minutes.
      name === "LangChain.js concat, tool call" && count === 100_000 ? "" : costOf(name, count),
  }),
);

const mergingGoals: readonly Goal[] = namesOf(messages).map((message) => {
  const name = `merging 8,000 deltas of a ${message}: time of LangChain.js divided by ours`;
  const theirs = costOf(`LangChain.js concat, ${message}`, 8_000);
  return compared(name, costOf(`mergeChunk, ${message}`, 8_000), theirs, "≥ 100", message === "text");
});

function costOf(name: `${MergerName}, ${Message}`, count: number): Figure {
  const cost = timed(`${name}, ${count}`, async () => {
    const [merger, message] = name.split(", ") as [MergerName, Message];
    const characters = Array.from(`{"contacts":${inputs.contacts(count)}}`);
    return { units: characters.length, run: await mergers[merger](messages[message](characters)) };
  });
  return perToken(cost);
}

export const models: Suite = {
  name: "models",
  smoke: /16 KB$|text, 1000$/,
  goals: [...decodingGoals, ...mergingGoals],
  parts: [...decoding, merging],
};

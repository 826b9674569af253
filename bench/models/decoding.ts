/** Decoding the bytes of a provider's stream into message chunks, beside other libraries. */
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import type { MessageChunk, Operator, SseEvent } from "millrace";
import type { ChatCompletionChunk } from "openai-7/resources/chat/completions";
import { type Figure, ranged, timed, type Work } from "../harness/figures.js";
import { type Bound, compared, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, quotients } from "../harness/tables.js";
import { messageEventsOf, readsOf, responseOf, textEventsOf } from "../model-streams.js";
import { int, list, pick, randomOf } from "../../test/support/random.js";
import { keep } from "../reading.js";

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
  const { decodeSse, from, pipe, textOf } = await import("millrace");
  return async (answer, add) => {
    for await (const chunk of pipe(from(answer), decodeSse(), decode())) add(textOf(chunk));
  };
}

/** The SDKs of OpenAI and Anthropic have the same class. */
function sdk<Event>(stream: SdkStream<Event>, textOf: (event: Event) => string): ReadAnswer {
  return async (answer, add) => {
    const events = stream.fromSSEResponse(answer, new AbortController());
    for await (const event of events) add(textOf(event));
  };
}

interface SdkStream<Event> {
  fromSSEResponse(answer: Response, controller: AbortController): AsyncIterable<Event>;
}

type DecoderName = keyof typeof decoders;

/** The number of events, without the end marker. */
const eventCount = 20_000;

/** The bytes of a read. */
const reads = { "one event": undefined, "64 B": 64, "1 KB": 1024, "16 KB": 16 * 1024 };
type ReadName = keyof typeof reads;

const times = {
  text: `## From bytes to message chunks

${eventCount.toLocaleString("en")} server-sent events of Chat Completions or of Anthropic's Messages, by the size of the
reads. Nanoseconds per event. The last row is the lower bound: it only reads the bytes.`,
  rows: namesOf(decoders),
  columns: namesOf(reads),
  cell: timeOf,
};

export const decoding: readonly Part[] = [
  grid(times),
  quotients(times, "Their time divided by ours.", [
    ["openai SDK", "millrace"],
    ["Anthropic SDK, Messages", "millrace, Messages"],
    ["AI SDK", "millrace"],
    ["reads alone", "millrace"],
  ]),
];

/** Small reads are the hardest: the web stream alone takes a third of our time. */
export const decodingGoals: readonly Goal[] = [faster("openai SDK", "≥ 2.5"), faster("AI SDK", "≥ 4")];

function faster(than: DecoderName, bound: Bound): Goal {
  const name = `reads of 64 bytes: time of the ${than} divided by ours`;
  return compared(name, timeOf("millrace", "64 B"), timeOf(than, "64 B"), bound, true);
}

/** Nanoseconds per event. */
function timeOf(name: DecoderName, read: ReadName): Figure {
  const load = async (): Promise<Work> => {
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
  };
  return timed(`${name}, ${read}`, load, ranged);
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

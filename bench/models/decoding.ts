/** Decoding the bytes of a provider's stream into message chunks, beside other libraries. */
import { type Figure, quotient, ranged, timed } from "../figures.js";
import { keep } from "../source-and-sink.js";
import type { Part, Work } from "../suite.js";
import { answerOf, eventCount, expectedText, type ReadName, reads, wire } from "./wire.js";

/** Reads an answer to its end and returns its text, which proves that each decoder did the same work. */
type ReadAnswer = (answer: Response) => Promise<string | undefined>;

/** Each is loaded only in the process that measures it and used as documented. */
const decoders = {
  millrace: async () => {
    const { decodeSse, from, pipe, textOf } = await import("millrace");
    const { decodeOpenAIChat } = await import("millrace/openai");
    return async (answer) => {
      let text = "";
      for await (const chunk of pipe(from(answer), decodeSse(), decodeOpenAIChat())) text += textOf(chunk);
      return text;
    };
  },

  "openai SDK": async () => {
    const { Stream } = await import("openai/streaming");
    return async (answer) => {
      let text = "";
      const stream = Stream.fromSSEResponse<ChatChunk>(answer, new AbortController());
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      return text;
    };
  },

  /** Its provider without `streamText`. */
  "AI SDK": async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    let answer: Response | undefined;
    const fetch = (): Promise<Response> => Promise.resolve(answer as Response);
    const provider = createOpenAICompatible({ name: "peer", baseURL: "http://localhost/v1", fetch });
    const model = provider.chatModel("m");
    return async (next) => {
      answer = next;
      let text = "";
      const { stream } = await model.doStream({
        prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      });
      await readAll(stream, (part) => {
        if (part.type === "text-delta") text += part.delta;
      });
      return text;
    };
  },

  /** The lower bound: server-sent events and JSON only. */
  "eventsource-parser, feed": async () => {
    const { createParser } = await import("eventsource-parser");
    return async (answer) => {
      let text = "";
      const parser = createParser({
        onEvent: ({ data }) => {
          text += contentOf(data);
        },
      });
      const decoder = new TextDecoder();
      await readAll(bodyOf(answer), (bytes) => parser.feed(decoder.decode(bytes, { stream: true })));
      return text;
    };
  },

  "eventsource-parser, TransformStream": async () => {
    const { EventSourceParserStream } = await import("eventsource-parser/stream");
    return async (answer) => {
      let text = "";
      const texts = bodyOf(answer).pipeThrough(new TextDecoderStream());
      await readAll(texts.pipeThrough(new EventSourceParserStream()), ({ data }) => {
        text += contentOf(data);
      });
      return text;
    };
  },

  "reads alone": async () => async (answer) => {
    await readAll(bodyOf(answer), keep);
    return undefined;
  },
} satisfies Readonly<Record<string, () => Promise<ReadAnswer>>>;

type DecoderName = keyof typeof decoders;
const names = Object.keys(decoders) as DecoderName[];

export const decoding: readonly Part[] = [
  {
    text: `## From bytes to message chunks

${eventCount.toLocaleString("en")} server-sent events of Chat Completions, by the size of the reads. Nanoseconds per event. The last three rows are lower
bounds: they only extract the text of the events, or only read the bytes.`,
    head: ["", ...reads],
    rows: names.map((name) => [name, ...reads.map((read) => timeOf(name, read))]),
  },
  {
    text: "Their time divided by ours. The goal: the openai SDK at least 2.5, the AI SDK at least 4.",
    head: ["", ...reads],
    rows: names
      .filter((name) => name !== "millrace")
      .map((name) => [name, ...reads.map((read) => quotient(timeOf(name, read), timeOf("millrace", read)))]),
  },
];

function timeOf(name: DecoderName, read: ReadName): Figure {
  const load = async (): Promise<Work> => {
    const decode = await decoders[name]();
    const pieces = wire(read);
    const expected = expectedText();
    const run = async (): Promise<void> => {
      const text = (await decode(answerOf(pieces))) ?? expected;
      if (text !== expected) throw new Error(`Read ${text.length} characters instead of ${expected.length}`);
    };
    return { units: eventCount, run };
  };
  return timed(`${name}, ${read}`, load, ranged);
}

interface ChatChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

function contentOf(data: string): string {
  return data === "[DONE]" ? "" : ((JSON.parse(data) as ChatChunk).choices[0]?.delta.content ?? "");
}

function bodyOf(answer: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  return answer.body as ReadableStream<Uint8Array<ArrayBuffer>>;
}

async function readAll<T>(stream: ReadableStream<T>, take: (part: T) => void): Promise<void> {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
}

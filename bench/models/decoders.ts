import { keep } from "../sink.js";
import { answerOf } from "./wire.js";

/** Reads an answer to its end and returns its text, which proves that each decoder did the same work. */
export type ReadAnswer = (answer: Response) => Promise<string | undefined>;

/** Each is loaded only in the process that measures it and used as documented. */
export const decoders = {
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
    const model = createOpenAICompatible({ name: "peer", baseURL: "http://localhost/v1", fetch }).chatModel(
      "m",
    );
    return async (next) => {
      answer = next;
      let text = "";
      const { stream } = await model.doStream({
        prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      });
      const reader = stream.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.type === "text-delta") text += part.value.delta;
      }
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
          if (data !== "[DONE]") text += (JSON.parse(data) as ChatChunk).choices[0]?.delta.content ?? "";
        },
      });
      const decoder = new TextDecoder();
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parser.feed(decoder.decode(part.value, { stream: true }));
      }
      return text;
    };
  },

  "eventsource-parser, TransformStream": async () => {
    const { EventSourceParserStream } = await import("eventsource-parser/stream");
    return async (answer) => {
      let text = "";
      const events = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>)
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      const reader = events.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const { data } = part.value;
        if (data !== "[DONE]") text += (JSON.parse(data) as ChatChunk).choices[0]?.delta.content ?? "";
      }
      return text;
    };
  },

  "reads alone": () =>
    Promise.resolve(async (answer) => {
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) keep(part.value);
      return undefined;
    }),
} satisfies Readonly<Record<string, () => Promise<ReadAnswer>>>;

export type DecoderName = keyof typeof decoders;
export const decoderNames = Object.keys(decoders) as DecoderName[];

interface ChatChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

/** Reads the whole stream once. */
export async function passOver(
  read: ReadAnswer,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  expected: string,
): Promise<void> {
  const text = await read(answerOf(pieces));
  if (text !== undefined && text !== expected) {
    throw new Error(`Read ${text.length} characters instead of ${expected.length}`);
  }
}

/** The elements of a streamed array, each when it is complete. */
import { z } from "zod";
import { schema as contacts } from "../agent/suite.js";
import { blocks } from "../../test/support/pieces.js";
import { type Figure, perCharacter, timed } from "../harness/figures.js";
import type { Part } from "../harness/suite.js";
import { grid, namesOf, quotients } from "../harness/tables.js";
import { inputs } from "../inputs.js";
import { streamOf } from "../../test/support/provider-events.js";
import { arriving, keep } from "../reading.js";
import { loadPeer } from "../../test/support/peers.js";

/** Reads the chunks and returns how many elements it has shown. */
type ReadElements = (chunks: readonly string[]) => Promise<number>;

const element = contacts.shape.contacts.element;
const type = z.object({ elements: z.array(element) });

const readers = {
  "millrace, schema": () => millrace(true),
  /** `Output.array()` validates each element too. */
  "AI SDK 7, schema": async () => {
    const { Output, streamText } = await loadPeer("ai-7");
    const { MockLanguageModelV4 } = await loadPeer("ai-7/test");
    return (chunks) => {
      const output = Output.array({ element });
      const model = new MockLanguageModelV4({
        doStream: async () => ({ stream: streamOf(partsOf(chunks)) }),
      });
      return counted(streamText({ model, prompt: "Who is there?", output }).elementStream);
    };
  },
  millrace: () => millrace(false),
  "json-stream-es": async () => {
    const { parseJsonStream, streamToIterable } = await import("json-stream-es");
    return (chunks) => counted(streamToIterable(streamOf(chunks).pipeThrough(parseJsonStream(["elements"]))));
  },
  "llm-json-stream": async () => {
    const { JsonStream } = await import("llm-json-stream");
    return (chunks) => counted(JsonStream.parse(arriving(chunks)).get<object[]>("elements"));
  },
} satisfies Readonly<Record<string, () => Promise<ReadElements>>>;

const times = {
  text: `## Elements of an array

Contacts in chunks of 4 characters, each yielded when it is complete. Nanoseconds per character; lower is better. With
a schema each is also validated with Zod.`,
  rows: namesOf(readers),
  columns: [1, 42, 512],
  heading: (size: number) => `${size} KB`,
  cell: costOf,
};

export const elements: readonly Part[] = [
  grid(times),
  quotients(times, "Their time divided by ours, with a schema and without.", [
    ["AI SDK 7, schema", "millrace, schema"],
    ["json-stream-es", "millrace"],
    ["llm-json-stream", "millrace"],
  ]),
];

function costOf(name: keyof typeof readers, size: number): Figure {
  const cost = timed(`elements, ${name}, ${size} KB`, async () => {
    const text = inputs.contacts(size * 1024).replace('"contacts"', '"elements"');
    const expected = (JSON.parse(text) as { readonly elements: readonly unknown[] }).elements.length;
    const chunks = blocks(text, 4);
    const read = await readers[name]();
    const run = async (): Promise<void> => {
      const count = await read(chunks);
      if (count !== expected) throw new Error(`${name} has shown ${count} of ${expected} elements`);
    };
    return { units: text.length, run };
  });
  return perCharacter(cost);
}

async function millrace(hasSchema: boolean): Promise<ReadElements> {
  const { jsonParser } = await import("millrace");
  const items = hasSchema ? jsonParser(type).items("/elements") : jsonParser().items("/elements");
  return (chunks) => counted(items(arriving(chunks)));
}

/** llm-json-stream yields promises. */
async function counted(source: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const it of source) {
    keep(await it);
    count++;
  }
  return count;
}

/** The parts of a model of the AI SDK. */
function partsOf(chunks: readonly string[]): readonly object[] {
  const usage = { inputTokens: {}, outputTokens: {} };
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    ...chunks.map((delta) => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
  ];
}

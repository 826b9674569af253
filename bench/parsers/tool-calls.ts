/** The arguments of a tool call: compared with LangChain.js, and whether the cost is linear. */
import type { MessageChunk } from "millrace";
import { blocks } from "../chunks.js";
import { type Figure, flatness, quotient, text, timed } from "../figures.js";
import { inputs } from "../inputs.js";
import { arriving, drain } from "../source-and-sink.js";
import type { Part } from "../suite.js";
import { loadPeer } from "../untyped-peers.js";

/** Each creates the chunks of its library before the measurement, and is loaded only in the process that measures it. */
const readers = {
  "toolCallsParser().stream": async (pieces) => {
    const { from, toolCallsParser } = await import("millrace");
    const chunks = pieces.map((args, i): MessageChunk => ({ content: [callChunk(args, i)] }));
    return () => drain(toolCallsParser().stream(from(chunks)));
  },

  /** It merges the chunks and parses all arguments again after each. */
  JsonOutputToolsParser: async (pieces) => {
    const { AIMessageChunk } = await loadPeer("@langchain/core/messages");
    const { JsonOutputToolsParser } = await loadPeer("@langchain/core/output_parsers/openai_tools");
    const chunks = pieces.map(
      (args, i) => new AIMessageChunk({ content: "", tool_call_chunks: [callChunk(args, i)] }),
    );
    return () => drain(new JsonOutputToolsParser().transform(arriving(chunks), {}));
  },
} satisfies Readonly<Record<string, (pieces: readonly string[]) => Promise<() => Promise<unknown>>>>;

const ours = "toolCallsParser().stream";
const theirs = "JsonOutputToolsParser";

/** Size of the arguments in KB. */
const comparedSize = 21;
const sizes = [8, comparedSize, 168, 1024];
const costs = sizes.map((size) => costOf(ours, size));
const theirCost = costOf(theirs, comparedSize);

export const toolCalls: Part = {
  text: text`## Tool calls

The arguments of one call in chunks of 4 characters, with the partial calls after each chunk. Nanoseconds per character. \
The goal: at least 500 times as fast as LangChain.js at ${String(comparedSize)} KB \
(${quotient(theirCost, costOf(ours, comparedSize))}), and linear (flat within ${flatness(costs)}).`,
  head: ["", ...sizes.map((size) => `${size} KB`)],
  rows: [
    [ours, ...costs],
    [theirs, ...sizes.map((size) => (size === comparedSize ? theirCost : ""))],
  ],
};

function costOf(reader: keyof typeof readers, size: number): Figure {
  return timed(`tool calls, ${reader}, ${size} KB`, async () => {
    const args = inputs.contacts(size * 1024);
    return { units: args.length, run: await readers[reader](blocks(args, 4)) };
  });
}

/** The first chunk of a call has its id and name. */
function callChunk(args: string, i: number) {
  const head = i === 0 ? { id: "call_1", name: "save" } : {};
  return { type: "tool_call_chunk", index: 0, args, ...head } as const;
}

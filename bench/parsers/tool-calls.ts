/** The arguments of a tool call: compared with LangChain.js, and whether the cost is linear. */
import type { MessageChunk } from "millrace";
import { blocks } from "../chunks.js";
import { type Figure, flatness, quotient, text, timed } from "../figures.js";
import { inputs } from "../inputs.js";
import { callChunks } from "../message-chunks.js";
import { arriving, drain } from "../source-and-sink.js";
import type { Part } from "../suite.js";
import { langChainChunks, loadPeer } from "../untyped-peers.js";

const ours = "toolCallsParser().stream";
const theirs = "JsonOutputToolsParser";

/** Each creates the chunks of its library before the measurement. */
const readers = {
  [ours]: async (chunks) => {
    const { from, toolCallsParser } = await import("millrace");
    return () => drain(toolCallsParser().stream(from(chunks)));
  },
  /** It merges the chunks and parses all arguments again after each. */
  [theirs]: async (chunks) => {
    const { JsonOutputToolsParser } = await loadPeer("@langchain/core/output_parsers/openai_tools");
    const theirChunks = await langChainChunks(chunks);
    return () => drain(new JsonOutputToolsParser().transform(arriving(theirChunks), {}));
  },
} satisfies Readonly<Record<string, (chunks: readonly MessageChunk[]) => Promise<() => Promise<unknown>>>>;

/** Size of the arguments in KB. */
const comparedSize = 21;
const sizes = [8, comparedSize, 168, 1024];
const costs = sizes.map((size) => costOf(ours, size));
const theirCost = costOf(theirs, comparedSize);
const speedup = quotient(theirCost, costOf(ours, comparedSize));

export const toolCalls: Part = {
  text: text`## Tool calls

The arguments of one call in chunks of 4 characters, with the partial calls after each chunk. Nanoseconds per character.
The goal: at least 500 times as fast as LangChain.js at ${String(comparedSize)} KB (${speedup}), and linear (flat within
${flatness(costs)}).`,
  head: ["", ...sizes.map((size) => `${size} KB`)],
  rows: [
    [ours, ...costs],
    [theirs, ...sizes.map((size) => (size === comparedSize ? theirCost : ""))],
  ],
};

function costOf(reader: keyof typeof readers, size: number): Figure {
  return timed(`tool calls, ${reader}, ${size} KB`, async () => {
    const args = inputs.contacts(size * 1024);
    return { units: args.length, run: await readers[reader](callChunks(blocks(args, 4))) };
  });
}

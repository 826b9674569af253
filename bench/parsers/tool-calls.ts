/** The arguments of a tool call: compared with LangChain.js, and whether the cost is linear. */
import type { MessageChunk } from "millrace";
import { blocks } from "../chunks.js";
import { type Figure, timed } from "../harness/figures.js";
import { compared, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, withFlatness } from "../harness/tables.js";
import { inputs } from "../inputs.js";
import { callChunks } from "../model-streams.js";
import { arriving, drain } from "../reading.js";
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

export const toolCalls: Part = withFlatness(
  grid({
    text: `## Tool calls

The arguments of one call in chunks of 4 characters, with the partial calls after each chunk. Nanoseconds per character.`,
    rows: namesOf(readers),
    columns: [8, 21, 168, 1024],
    heading: (size) => `${size} KB`,
    cell: (reader, size) => (reader === theirs && size !== 21 ? "" : costOf(reader, size)),
  }),
);

export const toolCallGoal: Goal = compared(
  `a tool call of 21 KB: time of ${theirs} divided by ours`,
  costOf(ours, 21),
  costOf(theirs, 21),
  "≥ 500",
);

function costOf(reader: keyof typeof readers, size: number): Figure {
  return timed(`tool calls, ${reader}, ${size} KB`, async () => {
    const args = inputs.contacts(size * 1024);
    return { units: args.length, run: await readers[reader](callChunks(blocks(args, 4))) };
  });
}

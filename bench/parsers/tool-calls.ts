/** The arguments of a tool call: compared with LangChain.js, and whether the cost is linear. */
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";
import type { Results, TimedCase } from "../suite.js";
import { figure, ratio, table } from "../table.js";
import type { Section } from "../suite.js";
import { type ReadCalls, toolCallSubjects, type ToolCallSubjectName } from "./tool-call-subjects.js";
import { flatness, quotient } from "../statistics.js";

const ours: ToolCallSubjectName = "toolCallsParser().stream";
const theirs: ToolCallSubjectName = "JsonOutputToolsParser";

/** Size of the arguments in KB. */
const comparedSize = 21;
const sizes = [8, comparedSize, 168, 1024] as const;

const cases: readonly TimedCase[] = [
  ...sizes.map((size) => callCase(ours, size)),
  callCase(theirs, comparedSize),
];

export const toolCalls: Section = {
  cases,
  smoke: (id) => id === idOf(ours, comparedSize) || id === idOf(theirs, comparedSize),
  report,
};

function callCase(subject: ToolCallSubjectName, size: number): TimedCase {
  return {
    id: idOf(subject, size),
    load: async () => {
      const args = inputs.contacts(size * 1024);
      const read: ReadCalls = await toolCallSubjects[subject](blocks(args, 4));
      return async () => {
        await read();
        return args.length;
      };
    },
  };
}

function report(results: Results): string {
  const cost = (subject: ToolCallSubjectName, size: number): number | undefined =>
    results.get(idOf(subject, size))?.median;
  const grown = sizes.map((size) => cost(ours, size));
  const factor = quotient(cost(theirs, comparedSize), cost(ours, comparedSize));
  return `## Tool calls

The arguments of one call in chunks of 4 characters, with the partial calls after each chunk. Nanoseconds per character. The goal: at least 500 times as fast as LangChain.js at ${comparedSize} KB (${ratio(factor)}), and linear (flat within ${ratio(flatness(grown))}).

${table(
  ["", ...sizes.map((size) => `${size} KB`)],
  [
    [ours, ...grown.map(figure)],
    [theirs, ...sizes.map((size) => (size === comparedSize ? figure(cost(theirs, size)) : ""))],
  ],
)}`;
}

function idOf(subject: ToolCallSubjectName, size: number): string {
  return `tool calls, ${subject}, ${size} KB`;
}

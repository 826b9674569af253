/** Lists in three notations, beside LangChain.js. */
import { blocks } from "../chunks.js";
import { type Figure, quotient } from "../harness/figures.js";
import { goal, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, quotients, withFlatness } from "../harness/tables.js";
import { int, list, randomOf } from "../random.js";
import { drain, type Read, readingCost } from "../reading.js";
import { langChainReader } from "../untyped-peers.js";

/** How a list is written, and what reads it: our parser, `listParser()` with a pattern, LangChain.js. */
const notations = {
  comma: {
    write: (items: readonly string[]) => items.join(", "),
    ours: "commaSeparatedListParser",
    pattern: /[^,\s][^,]*/,
    theirs: "CommaSeparatedListOutputParser",
  },
  numbered: {
    write: (items: readonly string[]) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
    ours: "numberedListParser",
    pattern: /^\d+\. (.+)$/m,
    theirs: "NumberedListOutputParser",
  },
  markdown: {
    write: (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n"),
    ours: "markdownListParser",
    pattern: /^- (.+)$/m,
    theirs: "MarkdownListOutputParser",
  },
} as const;

type Notation = (typeof notations)[keyof typeof notations];

const readers = {
  millrace: async ({ ours }) => {
    const { from, [ours]: parser } = await import("millrace");
    return (chunks) => drain(parser().stream(from(chunks)));
  },
  /** The general parser. */
  listParser: async ({ pattern }) => {
    const { from, listParser } = await import("millrace");
    return (chunks) => drain(listParser({ pattern }).stream(from(chunks)));
  },
  "LangChain.js": ({ theirs }) => langChainReader(theirs),
} satisfies Readonly<Record<string, (notation: Notation) => Promise<Read>>>;

type Row = `${keyof typeof notations}, ${keyof typeof readers}`;

const times = {
  text: `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the
lowest. \`listParser\` is the general parser with a regular expression.`,
  rows: namesOf(notations).flatMap((notation) =>
    namesOf(readers).map((reader): Row => `${notation}, ${reader}`),
  ),
  columns: [1_000, 10_000, 40_000, 100_000],
  heading: (items: number) => `${items.toLocaleString("en")} items`,
  // LangChain.js would take minutes for the longest.
  cell: (row: Row, items: number) =>
    row.endsWith("LangChain.js") && items > 40_000 ? "" : costOf(row, items),
};

const pairs = namesOf(notations).map((it) => [`${it}, LangChain.js`, `${it}, millrace`] as const);

export const lists: readonly Part[] = [
  withFlatness(grid(times)),
  quotients(times, "The time of LangChain.js divided by ours.", pairs),
];

export const listGoals: readonly Goal[] = pairs.flatMap(([theirs, ours]) => {
  const ratioAt = (items: number): Figure => quotient(costOf(theirs, items), costOf(ours, items));
  return [
    goal(`a list of 10,000 items: time of ${theirs} divided by ours`, ratioAt(10_000), "≥ 8"),
    goal(`a list of 40,000 items: time of ${theirs} divided by ours`, ratioAt(40_000), "≥ 40"),
  ];
});

function costOf(row: Row, items: number): Figure {
  const [name, reader] = row.split(", ") as [keyof typeof notations, keyof typeof readers];
  const notation = notations[name];
  const chunksOf = (): string[] => blocks(notation.write(itemsOf(items)), 4);
  return readingCost(`${reader}, ${name} list of ${items}`, () => readers[reader](notation), chunksOf, items);
}

/** Items of one to four words. Reproducible. */
function itemsOf(items: number): string[] {
  const random = randomOf(items);
  const letter = (): string => String.fromCharCode(int(random, 0x61, 0x7a));
  const word = (): string => list(int(random, 2, 9), letter).join("");
  return list(items, () => list(int(random, 1, 4), word).join(" "));
}

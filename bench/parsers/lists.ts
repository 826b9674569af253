/** Lists in three notations, beside LangChain.js. */
import { blocks } from "../chunks.js";
import { type Figure, quotient } from "../harness/figures.js";
import { goal, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, withFlatness } from "../harness/tables.js";
import { int, list, randomOf } from "../../test/support/random.js";
import { drain, type Read, readingCost } from "../reading.js";
import { langChainReader } from "../untyped-peers.js";

/** How a list is written, and what reads it: our parser and that of LangChain.js. */
const notations = {
  comma: {
    write: (items: readonly string[]) => items.join(", "),
    ours: "commaSeparatedListParser",
    theirs: "CommaSeparatedListOutputParser",
  },
  numbered: {
    write: (items: readonly string[]) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
    ours: "numberedListParser",
    theirs: "NumberedListOutputParser",
  },
  markdown: {
    write: (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n"),
    ours: "markdownListParser",
    theirs: "MarkdownListOutputParser",
  },
} as const;

type Notation = (typeof notations)[keyof typeof notations];

const readers = {
  millrace: async ({ ours }) => {
    const { from, [ours]: parser } = await import("millrace");
    return (chunks) => drain(parser().stream(from(chunks)));
  },
  "LangChain.js": ({ theirs }) => langChainReader(theirs),
} satisfies Readonly<Record<string, (notation: Notation) => Promise<Read>>>;

type Row = `${keyof typeof notations}, ${keyof typeof readers}`;

export const lists: Part = withFlatness(
  grid({
    text: `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the
lowest.`,
    rows: namesOf(notations).flatMap((notation) =>
      namesOf(readers).map((reader): Row => `${notation}, ${reader}`),
    ),
    columns: [1_000, 10_000, 40_000, 100_000],
    heading: (items) => `${items.toLocaleString("en")} items`,
    // LangChain.js would take minutes for the longest.
    cell: (row, items) => (row.endsWith("LangChain.js") && items > 40_000 ? "" : costOf(row, items)),
  }),
);

export const listGoals: readonly Goal[] = namesOf(notations).flatMap((notation) => {
  const ratioAt = (items: number): Figure =>
    quotient(costOf(`${notation}, LangChain.js`, items), costOf(`${notation}, millrace`, items));
  const name = `time of ${notation}, LangChain.js divided by ours`;
  return [
    goal(`a list of 10,000 items: ${name}`, ratioAt(10_000), "≥ 8"),
    goal(`a list of 40,000 items: ${name}`, ratioAt(40_000), "≥ 40"),
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

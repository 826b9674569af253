/** Lists in three notations, beside LangChain.js. */
import { blocks } from "../chunks.js";
import type { Figure } from "../harness/figures.js";
import { type Bound, compared, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, withFlatness } from "../harness/tables.js";
import { int, list, randomOf } from "../../test/support/random.js";
import { drain, type Read, readingCost } from "../reading.js";
import { langChainReader } from "../untyped-peers.js";

const notations = {
  comma: (items) => items.join(", "),
  numbered: (items) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
  markdown: (items) => items.map((item) => `- ${item}`).join("\n"),
} satisfies Readonly<Record<string, (items: readonly string[]) => string>>;

type Notation = keyof typeof notations;

const readers = {
  "comma, millrace": () => millrace("commaSeparatedListParser"),
  "comma, LangChain.js": () => langChainReader("CommaSeparatedListOutputParser"),
  "numbered, millrace": () => millrace("numberedListParser"),
  "numbered, LangChain.js": () => langChainReader("NumberedListOutputParser"),
  "markdown, millrace": () => millrace("markdownListParser"),
  "markdown, LangChain.js": () => langChainReader("MarkdownListOutputParser"),
} satisfies Readonly<Record<`${Notation}, ${string}`, () => Promise<Read>>>;

type Row = keyof typeof readers;

async function millrace(name: `${"commaSeparated" | Exclude<Notation, "comma">}ListParser`): Promise<Read> {
  const { from, [name]: parser } = await import("millrace");
  return (chunks) => drain(parser().stream(from(chunks)));
}

export const lists: Part = withFlatness(
  grid({
    text: `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the
lowest.`,
    rows: namesOf(readers),
    columns: [1_000, 10_000, 40_000, 100_000],
    heading: (items) => `${items.toLocaleString("en")} items`,
    // LangChain.js would take minutes for the longest.
    cell: (row, items) => (row.endsWith("LangChain.js") && items > 40_000 ? "" : costOf(row, items)),
  }),
);

export const listGoals: readonly Goal[] = namesOf(notations).flatMap((notation) => [
  faster(notation, 10_000, "≥ 8"),
  faster(notation, 40_000, "≥ 40"),
]);

function faster(notation: Notation, items: number, bound: Bound): Goal {
  const [ours, theirs] = [`${notation}, millrace`, `${notation}, LangChain.js`] as const;
  const name = `a list of ${items.toLocaleString("en")} items: time of ${theirs} divided by ours`;
  return compared(name, costOf(ours, items), costOf(theirs, items), bound);
}

function costOf(row: Row, items: number): Figure {
  const [notation, reader] = row.split(", ") as [Notation, string];
  const chunksOf = (): string[] => blocks(notations[notation](itemsOf(items)), 4);
  return readingCost(`${reader}, ${notation} list of ${items}`, readers[row], chunksOf, items);
}

/** Items of one to four words. Reproducible. */
function itemsOf(items: number): string[] {
  const random = randomOf(items);
  const letter = (): string => String.fromCharCode(int(random, 0x61, 0x7a));
  const word = (): string => list(int(random, 2, 9), letter).join("");
  return list(items, () => list(int(random, 1, 4), word).join(" "));
}

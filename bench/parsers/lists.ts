/** Lists in three notations, beside LangChain.js. */
import { blocks } from "../chunks.js";
import { type Figure, flatness, quotient, timed } from "../figures.js";
import { int, list, randomOf } from "../random.js";
import { arriving, keep } from "../source-and-sink.js";
import type { Part } from "../suite.js";
import { loadPeer } from "../untyped-peers.js";

/** The texts of lists. */
const notations = {
  comma: (items) => items.join(", "),
  numbered: (items) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
  markdown: (items) => items.map((item) => `- ${item}`).join("\n"),
} satisfies Readonly<Record<string, (items: readonly string[]) => string>>;

type Notation = keyof typeof notations;

/** Reads all chunks of a list and returns the number of items. */
type ReadList = (chunks: readonly string[]) => Promise<number>;

/** Each is loaded only in the process that measures it and used as documented. */
const readers = {
  millrace: async (notation) => {
    const { commaSeparatedListParser, from, markdownListParser, numberedListParser } =
      await import("millrace");
    const parsers = {
      comma: commaSeparatedListParser,
      numbered: numberedListParser,
      markdown: markdownListParser,
    };
    const { stream } = parsers[notation]();
    return (chunks) => count(stream(from(chunks)));
  },

  /** The general parser. */
  listParser: async (notation) => {
    const { from, listParser } = await import("millrace");
    const patterns = { comma: /[^,\s][^,]*/, numbered: /^\d+\. (.+)$/m, markdown: /^- (.+)$/m };
    const { stream } = listParser({ pattern: patterns[notation] });
    return (chunks) => count(stream(from(chunks)));
  },

  "LangChain.js": async (notation) => {
    const langChain = await loadPeer("@langchain/core/output_parsers");
    const parsers = {
      comma: langChain.CommaSeparatedListOutputParser,
      numbered: langChain.NumberedListOutputParser,
      markdown: langChain.MarkdownListOutputParser,
    };
    // A new parser for each pass, because a parser remembers its runs.
    return (chunks) => count(new parsers[notation]().transform(arriving(chunks), {}));
  },
} satisfies Readonly<Record<string, (notation: Notation) => Promise<ReadList>>>;

type ReaderName = keyof typeof readers;
const peer: ReaderName = "LangChain.js";

/** Items per list. LangChain.js would take minutes for the longest. */
const counts = [1_000, 10_000, 40_000, 100_000];
const peerCounts = counts.slice(0, 3);
const headOf = (all: readonly number[]): string[] => all.map((it) => `${it.toLocaleString("en")} items`);

const notationNames = Object.keys(notations) as Notation[];
const readerNames = Object.keys(readers) as ReaderName[];

export const lists: readonly Part[] = [
  {
    text: `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the lowest.
\`listParser\` is the general parser with a regular expression.`,
    head: ["", ...headOf(counts), "flat within"],
    rows: notationNames.flatMap((notation) =>
      readerNames.map((name) => {
        const costs = (name === peer ? peerCounts : counts).map((it) => costOf(name, notation, it));
        return [`${notation}, ${name}`, ...costs, ...(name === peer ? ["–", ""] : [flatness(costs)])];
      }),
    ),
  },
  {
    text: "The time of LangChain.js divided by ours. The goal: at least 8 at 10,000 items and 40 at 40,000.",
    head: ["", ...headOf(peerCounts)],
    rows: notationNames.map((notation) => [
      notation,
      ...peerCounts.map((it) => quotient(costOf(peer, notation, it), costOf("millrace", notation, it))),
    ]),
  },
];

function costOf(name: ReaderName, notation: Notation, items: number): Figure {
  return timed(`${name}, ${notation} list of ${items}`, async () => {
    const read = await readers[name](notation);
    const chunks = blocks(notations[notation](itemsOf(items)), 4);
    const run = async (): Promise<void> => {
      const found = await read(chunks);
      // LangChain.js loses items.
      if (found !== items && name !== peer) throw new Error(`Read ${found} items instead of ${items}`);
    };
    return { units: items, run };
  });
}

/** Items of one to four words. Reproducible. */
function itemsOf(items: number): string[] {
  const random = randomOf(items);
  const letter = (): string => String.fromCharCode(int(random, 0x61, 0x7a));
  const word = (): string => list(int(random, 2, 9), letter).join("");
  return list(items, () => list(int(random, 1, 4), word).join(" "));
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const item of items) {
    found++;
    keep(item);
  }
  return found;
}

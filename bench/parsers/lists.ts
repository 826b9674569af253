/** Lists in three notations, beside LangChain.js. */
import { blocks } from "../chunks.js";
import { type Figure, flatness, quotient, timed } from "../figures.js";
import { int, list, randomOf } from "../random.js";
import { drain } from "../source-and-sink.js";
import { namesOf, type Part } from "../suite.js";
import { type LangChainParserName, langChainReader } from "../untyped-peers.js";

/** How a list is written, and what reads it: our parser, `listParser()` with a pattern, LangChain.js. */
const notations = {
  comma: {
    write: (items) => items.join(", "),
    ours: "commaSeparatedListParser",
    pattern: /[^,\s][^,]*/,
    theirs: "CommaSeparatedListOutputParser",
  },
  numbered: {
    write: (items) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
    ours: "numberedListParser",
    pattern: /^\d+\. (.+)$/m,
    theirs: "NumberedListOutputParser",
  },
  markdown: {
    write: (items) => items.map((item) => `- ${item}`).join("\n"),
    ours: "markdownListParser",
    pattern: /^- (.+)$/m,
    theirs: "MarkdownListOutputParser",
  },
} satisfies Readonly<Record<string, Notation>>;

interface Notation {
  readonly write: (items: readonly string[]) => string;
  readonly ours: "commaSeparatedListParser" | "numberedListParser" | "markdownListParser";
  readonly pattern: RegExp;
  readonly theirs: LangChainParserName;
}

/** Each is loaded only in the process that measures it and used as documented. */
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
} satisfies Readonly<Record<string, (notation: Notation) => Promise<(chunks: readonly string[]) => unknown>>>;

type NotationName = keyof typeof notations;
type ReaderName = keyof typeof readers;
const peer: ReaderName = "LangChain.js";

/** Items per list. LangChain.js would take minutes for the longest. */
const counts = [1_000, 10_000, 40_000, 100_000];
const peerCounts = counts.slice(0, 3);
const headOf = (all: readonly number[]): string[] => all.map((it) => `${it.toLocaleString("en")} items`);

export const lists: readonly Part[] = [
  {
    text: `## Lists

Nanoseconds per item, in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the
lowest. \`listParser\` is the general parser with a regular expression.`,
    head: ["", ...headOf(counts), "flat within"],
    rows: namesOf(notations).flatMap((notation) =>
      namesOf(readers).map((name) => {
        const costs = (name === peer ? peerCounts : counts).map((it) => costOf(name, notation, it));
        return [`${notation}, ${name}`, ...costs, ...(name === peer ? ["–", ""] : [flatness(costs)])];
      }),
    ),
  },
  {
    text: "The time of LangChain.js divided by ours. The goal: at least 8 at 10,000 items and 40 at 40,000.",
    head: ["", ...headOf(peerCounts)],
    rows: namesOf(notations).map((notation) => [
      notation,
      ...peerCounts.map((it) => quotient(costOf(peer, notation, it), costOf("millrace", notation, it))),
    ]),
  },
];

function costOf(name: ReaderName, notation: NotationName, items: number): Figure {
  return timed(`${name}, ${notation} list of ${items}`, async () => {
    const chunks = blocks(notations[notation].write(itemsOf(items)), 4);
    const read = await readers[name](notations[notation]);
    return { units: items, run: () => read(chunks) };
  });
}

/** Items of one to four words. Reproducible. */
function itemsOf(items: number): string[] {
  const random = randomOf(items);
  const letter = (): string => String.fromCharCode(int(random, 0x61, 0x7a));
  const word = (): string => list(int(random, 2, 9), letter).join("");
  return list(items, () => list(int(random, 1, 4), word).join(" "));
}

/** Lists, tool calls and XML, beside LangChain.js. XML also beside bare saxes, which builds no value. */
import type { MessageChunk } from "millrace";
import type { XmlParserOptions } from "millrace/xml";
import { blocks } from "../../test/support/pieces.js";
import { type Figure, perCharacter, timed } from "../harness/figures.js";
import { type Bound, compared, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf, withFlatness } from "../harness/tables.js";
import { inputs, word } from "../inputs.js";
import { callChunks, langChainChunks } from "../model-streams.js";
import { int, list, pick, randomOf } from "../../test/support/random.js";
import { arriving, drain, keep, langChainReader, type Read, readingCost } from "../reading.js";
import { loadPeer } from "../../test/support/peers.js";

const notations = {
  comma: (items) => items.join(", "),
  numbered: (items) => items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
  markdown: (items) => items.map((item) => `- ${item}`).join("\n"),
} satisfies Readonly<Record<string, (items: readonly string[]) => string>>;

type Notation = keyof typeof notations;

const listReaders = {
  "comma, millrace": () => listReader("commaSeparatedListParser"),
  "comma, LangChain.js": () => langChainReader("CommaSeparatedListOutputParser"),
  "numbered, millrace": () => listReader("numberedListParser"),
  "numbered, LangChain.js": () => langChainReader("NumberedListOutputParser"),
  "markdown, millrace": () => listReader("markdownListParser"),
  "markdown, LangChain.js": () => langChainReader("MarkdownListOutputParser"),
} satisfies Readonly<Record<`${Notation}, ${string}`, () => Promise<Read>>>;

async function listReader(name: `${"commaSeparated" | "numbered" | "markdown"}ListParser`): Promise<Read> {
  const { from, [name]: parser } = await import("millrace");
  return (chunks) => drain(parser().stream(from(chunks)));
}

const lists: Part = withFlatness(
  grid({
    text: `## Lists

Nanoseconds per item (lower is better), in chunks of 4 characters. "Flat within" is the highest cost among the counts divided by the
lowest.`,
    rows: namesOf(listReaders),
    columns: [1_000, 10_000, 40_000, 100_000],
    heading: (items) => `${items.toLocaleString("en")} items`,
    // LangChain.js would take minutes for the longest.
    cell: (row, items) => (row.endsWith("LangChain.js") && items > 40_000 ? "" : itemCost(row, items)),
  }),
);

function fasterList(notation: Notation, items: number, bound: Bound): Goal {
  const [ours, theirs] = [`${notation}, millrace`, `${notation}, LangChain.js`] as const;
  const name = `a list of ${items.toLocaleString("en")} items: time of ${theirs} divided by ours`;
  return compared(name, itemCost(ours, items), itemCost(theirs, items), bound);
}

function itemCost(reader: keyof typeof listReaders, items: number): Figure {
  const [notation] = reader.split(", ") as [Notation];
  const chunksOf = (): string[] => blocks(notations[notation](itemsOf(items)), 4);
  return readingCost(`list, ${reader}, ${items}`, listReaders[reader], chunksOf, items);
}

/** Items of one to four words. Reproducible. */
function itemsOf(items: number): string[] {
  const random = randomOf(items);
  return list(items, () => list(int(random, 1, 4), () => word(random, int(random, 2, 9))).join(" "));
}

const ourCalls = "toolCallsParser().stream";
const theirCalls = "JsonOutputToolsParser";

/** Each creates the chunks of its library before the measurement. */
const callReaders = {
  [ourCalls]: async (chunks) => {
    const { from, toolCallsParser } = await import("millrace");
    return () => drain(toolCallsParser().stream(from(chunks)));
  },
  /** It merges the chunks and parses all arguments again after each. */
  [theirCalls]: async (chunks) => {
    const { JsonOutputToolsParser } = await loadPeer("@langchain/core/output_parsers/openai_tools");
    const theirChunks = await langChainChunks(chunks);
    return () => drain(new JsonOutputToolsParser().transform(arriving(theirChunks), {}));
  },
} satisfies Readonly<Record<string, (chunks: readonly MessageChunk[]) => Promise<() => Promise<unknown>>>>;

const toolCalls: Part = withFlatness(
  grid({
    text: `## Tool calls

The arguments of one call in chunks of 4 characters, with the partial calls after each chunk. Nanoseconds per character.`,
    rows: namesOf(callReaders),
    columns: [8, 21, 168, 1024],
    heading: (size) => `${size} KB`,
    cell: (reader, size) => (reader === theirCalls && size !== 21 ? "" : callCost(reader, size)),
  }),
);

function callCost(reader: keyof typeof callReaders, size: number): Figure {
  const cost = timed(`tool calls, ${reader}, ${size} KB`, async () => {
    const args = inputs.contacts(size * 1024);
    return { units: args.length, run: await callReaders[reader](callChunks(blocks(args, 4))) };
  });
  return perCharacter(cost);
}

const xmlReaders = {
  /** Like `xmlParser()`. */
  "a snapshot per 1 KB": () => snapshotReader({ extract: "auto", repair: true }),
  "a snapshot per 1 KB, strict": () => snapshotReader({}),
  "a patch per chunk": async () => {
    const { from, xmlParser } = await import("millrace");
    return (chunks) => drain(xmlParser({ append: true }).patches(from(chunks)));
  },
  /** The lower bound: only the events. */
  saxes: async () => {
    // By a name that the compiler does not resolve: its declarations do not compile with our options.
    const name: string = "saxes";
    const { SaxesParser } = (await import(name)) as { readonly SaxesParser: new () => Saxes };
    return (chunks) => {
      const parser = new SaxesParser();
      parser.on("opentag", keep);
      parser.on("closetag", keep);
      parser.on("text", keep);
      for (const chunk of chunks) parser.write(chunk);
      parser.close();
    };
  },
  /** It parses the whole text again for each chunk. */
  "LangChain.js": () => langChainReader("XMLOutputParser"),
} satisfies Readonly<Record<string, () => Promise<Read>>>;

interface Saxes {
  on(event: "opentag" | "closetag" | "text", handler: (it: unknown) => void): void;
  write(text: string): this;
  close(): this;
}

async function snapshotReader(options: XmlParserOptions): Promise<Read> {
  const { XmlParser } = await import("millrace/xml");
  return (chunks) => {
    const parser = new XmlParser(options);
    for (const [i, chunk] of chunks.entries()) {
      parser.write(chunk);
      if (i % 16 === 15) keep(parser.snapshot()); // 16 chunks of 64 characters
    }
    parser.end();
    keep(parser.snapshot());
  };
}

function fasterXml(ours: "a snapshot per 1 KB" | "a snapshot per 1 KB, strict"): Goal {
  const name = `XML with ${ours}: time of bare saxes divided by ours`;
  return compared(name, xmlCost(ours, 1024, 64), xmlCost("saxes", 1024, 64), "≥ 0.4");
}

function xmlCost(reader: keyof typeof xmlReaders, kilobytes: number, chunk: number): Figure {
  const chunksOf = (): string[] => blocks(xmlDocument(kilobytes * 1024), chunk);
  return readingCost(`xml, ${reader}, ${kilobytes} KB, ${chunk}`, xmlReaders[reader], chunksOf);
}

/** A report in XML of about `characters` characters: sections with titles, paragraphs and lists. */
function xmlDocument(characters: number): string {
  const random = randomOf(5);
  const words = (count: number): string => list(count, () => pick(random, vocabulary)).join(" ");
  const paragraph = (): string => `    <p>${words(30)} &amp; <em>${words(2)}</em>, ${words(12)}.</p>\n`;
  const item = (): string => `      <item>${words(8)}</item>\n`;
  const section = (number: number): string => `  <section id="s${number}" kind="${pick(random, kinds)}">
    <title>${words(4)}</title>
${list(3, paragraph).join("")}    <list>
${list(3, item).join("")}    </list>
  </section>
`;
  let text = "<report>\n";
  for (let number = 1; text.length < characters; number++) text += section(number);
  return `${text}</report>`;
}

const kinds = ["finding", "method"];
const vocabulary =
  "the stream of a model is read while it arrives and what it says can be shown at once".split(" ");

export const formats: readonly Part[] = [lists, toolCalls];

export const formatGoals: readonly Goal[] = [
  ...namesOf(notations).flatMap((it) => [fasterList(it, 10_000, "≥ 8"), fasterList(it, 40_000, "≥ 40")]),
  compared(
    `a tool call of 21 KB: time of ${theirCalls} divided by ours`,
    callCost(ourCalls, 21),
    callCost(theirCalls, 21),
    "≥ 500",
  ),
  fasterXml("a snapshot per 1 KB, strict"),
  fasterXml("a snapshot per 1 KB"),
  compared(
    "XML of 16 KB in chunks of 4, a patch for each: time of LangChain.js divided by ours",
    xmlCost("a patch per chunk", 16, 4),
    xmlCost("LangChain.js", 16, 4),
  ),
];

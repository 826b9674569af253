/** XML: beside bare saxes, which builds no value, and beside LangChain.js. */
import type { XmlParserOptions } from "millrace/xml";
import { blocks } from "../chunks.js";
import type { Figure } from "../harness/figures.js";
import { compared, type Goal, type Part } from "../harness/suite.js";
import { grid } from "../harness/tables.js";
import { list, pick, randomOf } from "../../test/support/random.js";
import { drain, keep, type Read, readingCost } from "../reading.js";
import { langChainReader } from "../untyped-peers.js";

/** Each reads all chunks. */
const readers = {
  /** Like `xmlParser()`. */
  "a snapshot per 1 KB": () => snapshotReader({ extract: "auto", repair: true }),

  "a snapshot per 1 KB, strict": () => snapshotReader({}),

  /** A patch per chunk. */
  "xmlParser().patches, append": async () => {
    const { from, xmlParser } = await import("millrace");
    return (chunks) => drain(xmlParser({ append: true }).patches(from(chunks)));
  },

  /** The lower bound: only the events. */
  saxes: async () => {
    const { SaxesParser } = await import("#saxes");
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
  XMLOutputParser: () => langChainReader("XMLOutputParser"),
} satisfies Readonly<Record<string, () => Promise<Read>>>;

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

const patches = "xmlParser().patches, append";

export const xml: Part = grid({
  text: `## XML

A report of 16 KB in XML, in chunks of 4 characters, a patch for each. Nanoseconds per character.`,
  corner: "16 KB, 4 characters",
  rows: [patches, "XMLOutputParser"] as const,
  columns: ["ns"],
  cell: (name) => costOf(name, 16, 4),
});

export const xmlGoals: readonly Goal[] = [
  ...(["a snapshot per 1 KB, strict", "a snapshot per 1 KB"] as const).map((ours) => {
    const name = `XML with ${ours}: time of bare saxes divided by ours`;
    return compared(name, costOf(ours, 1024, 64), costOf("saxes", 1024, 64), "≥ 0.4");
  }),
  compared(
    "XML of 16 KB: time of LangChain.js divided by ours",
    costOf(patches, 16, 4),
    costOf("XMLOutputParser", 16, 4),
  ),
];

function costOf(reader: keyof typeof readers, kilobytes: number, chunk: number): Figure {
  const chunksOf = (): string[] => blocks(xmlDocument(kilobytes * 1024), chunk);
  return readingCost(`xml, ${reader}, ${kilobytes} KB, ${chunk}`, readers[reader], chunksOf);
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

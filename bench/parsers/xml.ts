/** XML: beside bare saxes, whether it is linear, and beside LangChain.js. */
import { blocks } from "../chunks.js";
import type { Results, TimedCase } from "../suite.js";
import { figure, ratio, table } from "../table.js";
import { flatness, quotient } from "../statistics.js";
import type { Section } from "../suite.js";
import { xmlDocument } from "./xml-document.js";
import { type ReadXml, xmlSubjects, type XmlSubjectName } from "./xml-subjects.js";

interface XmlCase {
  readonly subject: XmlSubjectName;
  /** In KB. */
  readonly size: number;
  /** In characters. */
  readonly chunk: number;
}

const machine = "XmlParser, a snapshot per 1 KB";
const patches = "xmlParser().patches, append";

const compared: readonly XmlCase[] = ([machine, patches, "saxes"] as const).map((subject) => ({
  subject,
  size: 1024,
  chunk: 64,
}));
const sizes = [8, 64, 512, 2048] as const;
const growing: readonly XmlCase[] = sizes.map((size) => ({ subject: patches, size, chunk: 4 }));
const small: readonly XmlCase[] = ([patches, "XMLOutputParser"] as const).map((subject) => ({
  subject,
  size: 16,
  chunk: 4,
}));

const cases: readonly TimedCase[] = [...compared, ...growing, ...small].map((it) => ({
  id: idOf(it),
  load: async () => {
    const read: ReadXml = await xmlSubjects[it.subject]();
    const document = xmlDocument(it.size * 1024);
    const chunks = blocks(document, it.chunk);
    return async () => {
      await read(chunks);
      return document.length;
    };
  },
}));

export const xml: Section = {
  cases,
  smoke: (id) => id.startsWith("xml, ") && id.includes(", 16 KB"),
  report,
};

function report(results: Results): string {
  const cost = (it: XmlCase): number | undefined => results.get(idOf(it))?.median;
  const [ours, , saxes] = compared.map(cost);
  const grown = growing.map(cost);
  const [ourSmall, theirs] = small.map(cost);
  return `## XML

A report in XML, nanoseconds a character. 1 MB in chunks of 64 characters, with a snapshot per 1 KB, beside the events of
bare saxes, which builds no value. The goal: at least 0.4 of its throughput (${ratio(quotient(saxes, ours))}).

${table(
  ["1 MB, 64 characters", "ns"],
  compared.map((it) => [it.subject, figure(cost(it))]),
)}

In chunks of 4 characters, a patch for each. The goal: linear (flat within ${ratio(flatness(grown))}).

${table(["", ...sizes.map((size) => `${size} KB`)], [[patches, ...grown.map(figure)]])}

16 KB in chunks of 4 characters: LangChain.js takes ${ratio(quotient(theirs, ourSmall))} times our time.

${table(
  ["16 KB, 4 characters", "ns"],
  small.map((it) => [it.subject, figure(cost(it))]),
)}`;
}

function idOf({ subject, size, chunk }: XmlCase): string {
  return `xml, ${subject}, ${size} KB, ${chunk}`;
}

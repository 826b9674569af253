import { keep } from "../sink.js";
import { loadLangChain } from "../untyped-peers.js";

/** Reads all chunks once. Each is loaded only in the process that measures it. */
export type ReadXml = (chunks: readonly string[]) => Promise<void> | void;

/** How often a snapshot is taken: after so many characters. */
const snapshotEvery = 1024;

export const xmlSubjects = {
  /** As `xmlParser()` reads: with extraction and repair. */
  "XmlParser, a snapshot per 1 KB": async () => {
    const { XmlParser } = await import("millrace/xml");
    return (chunks) => {
      const parser = new XmlParser({ extract: "auto", repair: true });
      let unseen = 0;
      for (const chunk of chunks) {
        parser.write(chunk);
        unseen += chunk.length;
        if (unseen < snapshotEvery) continue;
        unseen = 0;
        keep(parser.snapshot());
      }
      parser.end();
      keep(parser.snapshot());
    };
  },

  /** What a page takes: the changes of each chunk. */
  "xmlParser().patches, append": async () => {
    const { from, xmlParser } = await import("millrace");
    return async (chunks) => {
      for await (const patch of xmlParser({ append: true }).patches(from(chunks))) keep(patch);
    };
  },

  /** The floor: its events, and nothing made of them. */
  saxes: async () => {
    const { SaxesParser } = (await import(saxesName)) as { readonly SaxesParser: new () => Saxes };
    return (chunks) => {
      const parser = new SaxesParser();
      parser.on("opentag", keep);
      parser.on("closetag", keep);
      parser.on("text", keep);
      for (const chunk of chunks) parser.write(chunk);
      parser.close();
    };
  },

  /** It parses all of the text again on each chunk. */
  XMLOutputParser: async () => {
    const { XMLOutputParser } = await loadLangChain();
    return async (chunks) => {
      async function* source(): AsyncGenerator<string> {
        yield* chunks;
      }
      for await (const value of new XMLOutputParser().transform(source(), {})) keep(value);
    };
  },
} satisfies Readonly<Record<string, () => Promise<ReadXml>>>;

export type XmlSubjectName = keyof typeof xmlSubjects;

/** Loaded by a name that the compiler does not follow: its declarations do not compile under our flags. */
const saxesName: string = "saxes";

interface Saxes {
  on(event: "opentag" | "closetag" | "text", handler: (value: unknown) => void): void;
  write(text: string): this;
  close(): void;
}

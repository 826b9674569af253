import { keep } from "../sink.js";
import { loadLangChain } from "../untyped-peers.js";

/** Reads all chunks. */
export type ReadXml = (chunks: readonly string[]) => Promise<void> | void;

/** Characters between two snapshots. */
const snapshotEvery = 1024;

export const xmlSubjects = {
  /** With extraction and repair, like `xmlParser()`. */
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

  /** A patch per chunk. */
  "xmlParser().patches, append": async () => {
    const { from, xmlParser } = await import("millrace");
    return async (chunks) => {
      for await (const patch of xmlParser({ append: true }).patches(from(chunks))) keep(patch);
    };
  },

  /** The lower bound: only the events. */
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

  /** It parses the whole text again for each chunk. */
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

/** A variable, because the declarations of saxes do not compile with our options. */
const saxesName: string = "saxes";

interface Saxes {
  on(event: "opentag" | "closetag" | "text", handler: (value: unknown) => void): void;
  write(text: string): this;
  close(): void;
}

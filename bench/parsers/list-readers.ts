import { keep } from "../sink.js";
import type { ListKind } from "./list-texts.js";
import { loadLangChain } from "../untyped-peers.js";

/** Reads all chunks of a list and returns the number of items. */
export type ReadList = (chunks: readonly string[]) => Promise<number>;

/** Each is loaded only in the process that measures it and used as documented. */
export const listReaders = {
  millrace: async (kind) => {
    const { commaSeparatedListParser, from, markdownListParser, numberedListParser } =
      await import("millrace");
    const parsers = {
      comma: commaSeparatedListParser,
      numbered: numberedListParser,
      markdown: markdownListParser,
    };
    const { stream } = parsers[kind]();
    return (chunks) => count(stream(from(chunks)));
  },

  /** The general parser. */
  listParser: async (kind) => {
    const { from, listParser } = await import("millrace");
    const patterns = { comma: /[^,\s][^,]*/, numbered: /^\d+\. (.+)$/m, markdown: /^- (.+)$/m };
    const { stream } = listParser({ pattern: patterns[kind] });
    return (chunks) => count(stream(from(chunks)));
  },

  "LangChain.js": async (kind) => {
    const { CommaSeparatedListOutputParser, MarkdownListOutputParser, NumberedListOutputParser } =
      await loadLangChain();
    const parsers = {
      comma: CommaSeparatedListOutputParser,
      numbered: NumberedListOutputParser,
      markdown: MarkdownListOutputParser,
    };
    // A new parser for each pass, because a parser remembers its runs.
    return (chunks) => count(new parsers[kind]().transform(arriving(chunks), {}));
  },
} satisfies Readonly<Record<string, (kind: ListKind) => Promise<ReadList>>>;

export type ListReaderName = keyof typeof listReaders;
export const listReaderNames = Object.keys(listReaders) as ListReaderName[];

/** LangChain.js needs an async generator. */
async function* arriving(chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield chunk;
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const item of items) {
    found++;
    keep(item);
  }
  return found;
}

/** The readers of streamed JSON. Each is loaded only in the process that measures it and used as documented. */
import type { JsonParser } from "millrace/json";
import { arriving, drain, keep, langChainReader, type Read } from "../reading.js";
import { loadPeer } from "../../test/support/peers.js";

/** `jsonParser()` as in an application, and jsonriver. They show a patch or a value after each chunk. */
export const streams = {
  patches: () => jsonStream("patches"),
  "patches, strict": () => jsonStream("patches", true),
  snapshots: () => jsonStream("stream"),
  "snapshots, strict": () => jsonStream("stream", true),
  /** Yields one value that changes in place. */
  jsonriver: async () => (await import("jsonriver")).parse,
} satisfies Record<string, () => Promise<ReadStream>>;

type ReadStream = (source: AsyncIterable<string>) => AsyncIterable<unknown>;

export const readers = {
  patches: stream("patches"),
  "patches, strict": stream("patches, strict"),
  snapshots: stream("snapshots"),
  "snapshots, strict": stream("snapshots, strict"),

  /** `JsonParser`, called directly. */
  "write + takePatch": parser((it) => it.takePatch()),
  /** One value that changes in place, like the value of jsonriver. */
  "live value": async () => {
    const { fast, JsonParser } = await import("millrace/json");
    return async (chunks) => {
      const parser = new JsonParser({ fast });
      for await (const chunk of arriving(chunks)) {
        parser.write(chunk);
        keep(parser.value);
      }
      parser.end();
    };
  },
  /** The live value, read at the end only. */
  write: parser(),

  jsonriver: stream("jsonriver"),
  /** Configured to emit incomplete values. The last one is the root. */
  "@streamparser/json": async () => {
    const { JSONParser } = await loadPeer("@streamparser/json");
    return (chunks) => {
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
      parser.onValue = (info) => keep(info.value);
      for (const chunk of chunks) parser.write(chunk);
    };
  },
  /** Its tokenizer and assembler called directly, without the Node streams around them. */
  "stream-json": async () => {
    const { jsonParser } = await import("stream-json/core/parser.js");
    const { Assembler } = await import("stream-json/core/assembler.js");
    return (chunks) => {
      const read = jsonParser();
      const assembler = new Assembler();
      for (const chunk of chunks) {
        const tokens = read(chunk);
        if (typeof tokens === "object") for (const token of tokens.values) assembler.consume(token);
        keep(assembler.current);
      }
    };
  },
  /** Called once with the whole text: the lower bound of every parser. */
  "JSON.parse": async () => (chunks) => keep(JSON.parse(chunks.join(""))),

  /** The next three parse the whole text again after each chunk. */
  "partial-json": async () => {
    const { parse } = await import("partial-json");
    return (chunks) => {
      let text = "";
      for (const chunk of chunks) keep(parse((text += chunk)));
    };
  },
  /** The loop of `streamObject` without its web streams: parse the text so far and show the value if it changed. */
  "AI SDK": async () => {
    const { isDeepEqualData, parsePartialJson } = await loadPeer("ai");
    return async (chunks) => {
      let text = "";
      let latest: unknown;
      for await (const chunk of arriving(chunks)) {
        text += chunk;
        const { value } = await parsePartialJson(text);
        if (value === undefined || isDeepEqualData(latest, value)) continue;
        // Once more for the value that validation returns, which is the same without a schema.
        if (!isDeepEqualData(latest, value)) keep((latest = value));
      }
    };
  },
  /** LangChain.js in diff mode, which yields RFC 6902 patches. */
  JsonOutputParser: () => langChainReader("JsonOutputParser", { diff: true }),
} satisfies Record<string, () => Promise<Read>>;

export type ReaderName = keyof typeof readers;

function parser(look?: (parser: JsonParser) => unknown): () => Promise<Read> {
  return async () => {
    const { fast, JsonParser } = await import("millrace/json");
    return (chunks) => {
      const parser = new JsonParser({ fast });
      for (const chunk of chunks) {
        parser.write(chunk);
        if (look !== undefined) keep(look(parser));
      }
      parser.end();
      keep(parser.value);
    };
  };
}

async function jsonStream(view: "patches" | "stream", strict = false): Promise<ReadStream> {
  const { jsonParser } = await import("millrace");
  return jsonParser(undefined, { strict })[view];
}

function stream(name: keyof typeof streams): () => Promise<Read> {
  return async () => {
    const open = await streams[name]();
    return (chunks) => drain(open(arriving(chunks)));
  };
}

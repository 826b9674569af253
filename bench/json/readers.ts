/** The readers of streamed JSON. Each is loaded only in the process that measures it and used as documented. */
import type { JsonOutputParserOptions, JsonParser, JsonParserOptions } from "millrace";
import { arriving, drain, keep } from "../source-and-sink.js";
import { langChainReader, loadPeer } from "../untyped-peers.js";

/** Reads all chunks once and keeps what the reader shows after each chunk. */
export type Read = (chunks: readonly string[]) => unknown;

/** `jsonParser()`, as in an application. */
const stages = {
  patches: stage("patches"),
  "patches, strict": stage("patches", { strict: true }),
  "patches, append": stage("patches", { append: true }),
  snapshots: stage("stream"),
  "snapshots, strict": stage("stream", { strict: true }),
};

function stage(view: "patches" | "stream", options?: JsonOutputParserOptions): () => Promise<Read> {
  return async () => {
    const { jsonParser } = await import("millrace");
    const parser = jsonParser(undefined, options);
    return (chunks) => drain(parser[view](arriving(chunks)));
  };
}

/** `JsonParser`, called directly. */
const parsers = {
  "write + takePatch": parser((it) => it.takePatch()),
  "write + takePatch, append": parser((it) => it.takePatch(), { append: true }),
  "write + snapshot": parser((it) => it.snapshot()),
  /** One value that changes in place, like the value of jsonriver. */
  "live value": async () => {
    const { JsonParser } = await import("millrace");
    return async (chunks) => {
      const parser = new JsonParser();
      for await (const chunk of arriving(chunks)) {
        parser.write(chunk);
        keep(parser.value);
      }
      parser.end();
    };
  },
  /** The live value, read at the end only. */
  write: parser(),
} satisfies Record<string, () => Promise<Read>>;

function parser(look?: (parser: JsonParser) => unknown, options?: JsonParserOptions): () => Promise<Read> {
  return async () => {
    const { JsonParser } = await import("millrace");
    return (chunks) => {
      const parser = new JsonParser(options);
      for (const chunk of chunks) {
        parser.write(chunk);
        if (look !== undefined) keep(look(parser));
      }
      parser.end();
      keep(parser.value);
    };
  };
}

const peers = {
  /** Called once with the whole text: the lower bound of every parser. */
  "JSON.parse": async () => (chunks) => keep(JSON.parse(chunks.join(""))),
  /** Only counts the characters: the lower bound of every async reader. */
  "for await": async () => async (chunks) => {
    let characters = 0;
    for await (const chunk of arriving(chunks)) characters += chunk.length;
    keep(characters);
  },
  /** Yields one value that changes in place. */
  jsonriver: async () => {
    const { parse } = await import("jsonriver");
    return (chunks) => drain(parse(arriving(chunks)));
  },
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
  /** Parses the whole text again after each chunk. */
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
      let latestJson: unknown;
      let latest: unknown;
      for await (const chunk of arriving(chunks)) {
        text += chunk;
        const { value } = await parsePartialJson(text);
        if (value === undefined || isDeepEqualData(latestJson, value)) continue;
        const partial = value; // without a schema, validation returns the value
        if (isDeepEqualData(latest, partial)) continue;
        latestJson = value;
        latest = partial;
        keep(latest);
      }
    };
  },
  /** LangChain.js in diff mode, which yields RFC 6902 patches. */
  JsonOutputParser: () => langChainReader("JsonOutputParser", { diff: true }),
} satisfies Record<string, () => Promise<Read>>;

export type ReaderName = keyof typeof stages | keyof typeof parsers | keyof typeof peers;

export const readers: Readonly<Record<ReaderName, () => Promise<Read>>> = { ...stages, ...parsers, ...peers };

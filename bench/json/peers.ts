import { loadAiSdk, loadLangChain, loadStreamParser } from "../untyped-peers.js";
import { arriving, showAll, type Subject } from "./subject.js";

/** Each is used as its documentation says for streamed text. */
export const peers = {
  /** Called once with the whole text: the lower bound of every parser. */
  "JSON.parse": {
    shows: "values",
    load: () =>
      Promise.resolve((chunks, show) => {
        show(JSON.parse(chunks.length === 1 ? (chunks[0] as string) : chunks.join("")));
      }),
  },
  /** Only counts the characters: the lower bound of every async reader. */
  "for await": {
    shows: "nothing",
    load: () =>
      Promise.resolve(async (chunks, show) => {
        let characters = 0;
        for await (const chunk of arriving(chunks)) characters += chunk.length;
        show(characters);
      }),
  },
  /** Yields one value that changes in place. */
  jsonriver: {
    shows: "values",
    load: async () => {
      const { parse } = await import("jsonriver");
      return (chunks, show) => showAll(parse(arriving(chunks)), show);
    },
  },
  /** Configured to emit incomplete values. The last one is the root. */
  "@streamparser/json": {
    shows: "values",
    load: async () => {
      const { JSONParser } = await loadStreamParser();
      return (chunks, show) => {
        const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
        parser.onValue = (info) => show(info.value);
        for (const chunk of chunks) parser.write(chunk);
      };
    },
  },
  /** Its tokenizer and assembler called directly, without the Node streams around them. */
  "stream-json": {
    shows: "values",
    load: async () => {
      const { jsonParser } = await import("stream-json/core/parser.js");
      const { Assembler } = await import("stream-json/core/assembler.js");
      return (chunks, show) => {
        const read = jsonParser();
        const assembler = new Assembler();
        for (const chunk of chunks) {
          const tokens = read(chunk);
          if (typeof tokens === "object") for (const token of tokens.values) assembler.consume(token);
          show(assembler.current);
        }
      };
    },
  },
  /** Parses the whole text again after each chunk. */
  "partial-json": {
    shows: "values",
    load: async () => {
      const { parse } = await import("partial-json");
      return (chunks, show) => {
        let text = "";
        for (const chunk of chunks) show(parse((text += chunk)));
      };
    },
  },
  /** The loop of `streamObject` without its web streams: parse the text so far and show the value if it changed. */
  "AI SDK": {
    shows: "values",
    load: async () => {
      const { isDeepEqualData, parsePartialJson } = await loadAiSdk();
      return async (chunks, show) => {
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
          show(latest);
        }
      };
    },
  },
  /** LangChain.js in diff mode, which yields RFC 6902 patches. */
  JsonOutputParser: {
    shows: "patches",
    load: async () => {
      const { JsonOutputParser } = await loadLangChain();
      return (chunks, show) => {
        const parser = new JsonOutputParser({ diff: true });
        return showAll(parser.transform(arriving(chunks), {}), show);
      };
    },
  },
} satisfies Record<string, Subject>;

/** The memory of streams that have begun. */
import { cuts } from "../chunks.js";
import { counted, type Figure, kilobytes } from "../figures.js";
import { documentOf } from "../json/documents.js";
import { heapInUse } from "../json/counts.js";
import { list } from "../random.js";
import { arriving, keep } from "../source-and-sink.js";
import type { Reader } from "./programs.js";

const count = 2_000;

/** Bytes per stream that has shown so many values, with the value so far. */
export function bytesPerStream(reader: Reader, values: number): Figure {
  const measure = async (): Promise<number> => {
    const open = await openers[reader]();
    const chunks = cuts["1-8"](await documentOf("orders", 8));
    const begin = async (streams: number): Promise<unknown> => {
      const opened = list(streams, () => open(arriving(chunks)));
      for (const it of opened) for (let i = 0; i < values; i++) await it.next();
      return opened;
    };
    const first = await begin(count / 10); // loads and compiles the code
    const before = await heapInUse();
    keep([first, await begin(count)]);
    return ((await heapInUse()) - before) / count;
  };
  return counted(`bytes of an open stream after ${values}, ${reader}`, measure, kilobytes);
}

const openers: Readonly<Record<Reader, () => Promise<Open>>> = {
  patches: async () => {
    const { jsonParser } = await import("millrace");
    const { patches } = jsonParser();
    return (source) => patches(source)[Symbol.asyncIterator]();
  },
  jsonriver: async () => {
    const { parse } = await import("jsonriver");
    return (source) => parse(source)[Symbol.asyncIterator]();
  },
};

type Open = (source: AsyncIterable<string>) => AsyncIterator<unknown>;

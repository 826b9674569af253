/** The readers that work on streams: `jsonParser()` as in an application, and jsonriver. They also run in browsers. */
import type { JsonOutputParserOptions } from "millrace";

/** Loads a reader, which shows a value or a patch after each chunk. */
type LoadStream = () => Promise<(source: AsyncIterable<string>) => AsyncIterable<unknown>>;

export const streams = {
  patches: parserStream("patches"),
  "patches, strict": parserStream("patches", { strict: true }),
  snapshots: parserStream("stream"),
  "snapshots, strict": parserStream("stream", { strict: true }),
  /** Yields one value that changes in place. */
  jsonriver: async () => (await import("jsonriver")).parse,
} satisfies Record<string, LoadStream>;

export type StreamName = keyof typeof streams;

function parserStream(view: "patches" | "stream", options?: JsonOutputParserOptions): LoadStream {
  return async () => {
    const { jsonParser } = await import("millrace");
    return jsonParser(undefined, options)[view];
  };
}

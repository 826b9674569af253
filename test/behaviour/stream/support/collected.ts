/** Reads 30 documents of a format (the argument), with a full collection before each, in chunks of 4 characters. */
import { jsonParser, type Operator, patchLines, xmlParser } from "millrace";

/** A class, whose instances keep their shape as long as one is alive. */
class Source implements AsyncIterableIterator<string> {
  private readonly chunks: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.chunks = text.match(/[^]{1,4}/g) ?? [];
  }

  next(): Promise<IteratorResult<string>> {
    const value = this.chunks[this.at++];
    return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const rows = (row: (i: number) => string): string[] => Array.from({ length: 1_000 }, (_, i) => row(i));
const numbers = `[${rows((i) => `[${i}, ${i / 7e9}, "${i}"]`).join()}]`;
const schema = { type: "array", items: { type: "array", items: { type: ["number", "string"] } } } as const;

const formats: Readonly<Record<string, readonly [Operator<string, unknown>, string]>> = {
  patches: [jsonParser().patches, numbers],
  "patches with a schema": [jsonParser(schema).patches, numbers],
  snapshots: [jsonParser().stream, numbers],
  xml: [
    xmlParser().patches,
    `<a>${rows((i) => `<b id="${i}">one <i>two</i> &amp; three</b>\n`).join("")}</a>`,
  ],
  "lines of patches": [
    patchLines().patches,
    rows((i) => `{"op": "add", "path": "/${i}", "value": {"a": [${i}]}}\n`).join(""),
  ],
};

const [open, text] = formats[process.argv[2] as string] as (typeof formats)[string];
const first = new Source("");
for (let i = 0; i < 30; i++) {
  globalThis.gc?.();
  const items = open(new Source(text))[Symbol.asyncIterator]();
  while ((await items.next()).done !== true);
}
await first.next();

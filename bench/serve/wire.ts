/** The bytes of a stream on the wire, compared with streams without patches or without `append`. */
import type * as Millrace from "millrace";
import type { JsonPatch, JsonValue } from "millrace";
import { blocks } from "../chunks.js";
import { counted, type Figure, kilobytes, quotient } from "../harness/figures.js";
import { goal, type Goal, type Part } from "../harness/suite.js";
import { grid, namesOf } from "../harness/tables.js";
import { inputs } from "../inputs.js";

/** In KB. */
const size = 40;
const documents = ["strings", "contacts"] as const;
type Document = (typeof documents)[number];

const ways = {
  "millrace, append": ({ jsonParser }) => jsonParser(undefined, { append: true }).patches,
  "RFC 6902, replace": ({ jsonParser }) => jsonParser().patches,
  "the whole value each time": ({ jsonParser, map }) => {
    const whole = map((value: unknown): JsonPatch => [
      { op: "replace", path: "", value: value as JsonValue },
    ]);
    return (tokens) => whole(jsonParser().stream(tokens));
  },
} satisfies Record<string, (of: typeof Millrace) => Stage>;

type Stage = (tokens: AsyncIterable<string>) => AsyncIterable<JsonPatch>;
type Way = keyof typeof ways;

export const wire: Part = grid({
  text: `## Bytes on the wire

A document of ${size} KB in chunks of 4 characters, each sent at once: the bytes of the response with all its events.
\`strings\` is four strings of 10 KB, \`contacts\` small records.`,
  rows: namesOf(ways),
  columns: documents,
  cell: (way, document) => bytesOf(document, way),
});

export const wireGoals: readonly Goal[] = [
  ...documents.map((it) => {
    const result = times(it, "the whole value each time");
    return goal(`${it}: bytes of the whole value each time divided by ours`, result, "≥ 50");
  }),
  goal("strings: bytes of `replace` divided by ours", times("strings", "RFC 6902, replace"), "≥ 10"),
];

function times(document: Document, other: Way): Figure {
  return quotient(bytesOf(document, other), bytesOf(document, "millrace, append"));
}

function bytesOf(document: Document, way: Way): Figure {
  const count = async (): Promise<number> => {
    const { toEventStream } = await import("millrace/serve");
    const millrace = await import("millrace");
    const tokens = millrace.from(blocks(inputs[document](size * 1024), 4));
    const patches = ways[way](millrace)(tokens);
    return (await toEventStream(patches).arrayBuffer()).byteLength;
  };
  return counted(`bytes, ${document}, ${way}`, count, kilobytes);
}

/** The memory in use after reading 2 MB in chunks of 4 characters. */
import { setImmediate } from "node:timers/promises";
import { decoded, decoderOf } from "../chunks.js";
import { keep } from "../sink.js";
import type { CountedCase, Results } from "../suite.js";
import type { Goal } from "./comparisons.js";
import { documentNames, documentOf } from "./documents.js";

const memorySize = 2048;
const chunkSize = 4;

/** Creates pieces of a document that nobody else holds, so a value that refers to one pays for it. */
interface Source {
  readonly length: number;
  readonly pieceOf: (start: number, end: number) => string;
  readonly whole: () => string;
}

type Make = (source: Source) => Promise<unknown>;

const holders = {
  /** The reference. */
  "JSON.parse": (source) => Promise.resolve(JSON.parse(source.whole())),
  /** Without the parser. */
  value: async (source) => (await parsed(source)).value,
  "value and parser": parsed,
  jsonriver: async (source) => {
    const { parse } = await import("jsonriver");
    let last: unknown;
    for await (const value of parse(arriving(source))) last = value;
    return last;
  },
} satisfies Record<string, Make>;

export type Holder = keyof typeof holders;
export const holderNames = Object.keys(holders) as Holder[];

export const memoryCases: readonly CountedCase[] = documentNames.flatMap((document) =>
  holderNames.map((holder) => ({
    id: memoryId(holder, document),
    count: async () => {
      const warmUp = sourceOf(documentOf(document, 512, 100));
      const source = sourceOf(documentOf(document, memorySize));
      const make: Make = holders[holder];
      keep(await make(warmUp)); // loads and compiles the code
      keep(undefined);
      const before = await heapInUse();
      keep(await make(source));
      return (await heapInUse()) - before;
    },
  })),
);

export function memoryId(holder: Holder, document: string): string {
  return `bytes kept by ${holder}, ${document}`;
}

export const memoryGoal: Goal = { sense: "at most", target: 1.5, beyond: 1.1 };

export function memoryRatio(holder: Holder, document: string, results: Results): number | undefined {
  const kept = results.get(memoryId(holder, document))?.median;
  const floor = results.get(memoryId("JSON.parse", document))?.median;
  return kept === undefined || floor === undefined ? undefined : kept / floor;
}

/** `write()` and `takePatch()`, discarding each patch. */
async function parsed({ length, pieceOf }: Source): Promise<{ readonly value: unknown }> {
  const { JsonParser } = await import("millrace");
  const parser = new JsonParser();
  for (let at = 0; at < length; at += chunkSize) {
    parser.write(pieceOf(at, at + chunkSize));
    keep(parser.takePatch());
  }
  parser.end();
  return parser;
}

function* piecesOf({ length, pieceOf }: Source): Generator<string> {
  for (let at = 0; at < length; at += chunkSize) yield pieceOf(at, at + chunkSize);
}

/** jsonriver needs an async iterable. */
async function* arriving(source: Source): AsyncGenerator<string> {
  yield* piecesOf(source);
}

function sourceOf(text: string): Source {
  return { length: text.length, pieceOf: decoderOf(text), whole: () => decoded(text) };
}

/** Bytes in use on the JavaScript heap after garbage collection. */
async function heapInUse(): Promise<number> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error("Memory is measured in a process started with --expose-gc");
  for (let i = 0; i < 6; i++) {
    collect();
    await setImmediate(); // runs finalizers and clears weak references
  }
  return process.memoryUsage().heapUsed;
}

import { from, OutputParserError, pipe, type Chunk, type OutputParser } from "millrace";
import { allPartitions, everyCut, everyWay } from "millrace/testing";
import { expect } from "vitest";
import { readingOf, type Reading } from "./support/reading.js";

export function read<Part>(
  parser: OutputParser<unknown, Part>,
  chunks: Iterable<Chunk>,
): Promise<Reading<Part>> {
  return readingOf(pipe(from(chunks), parser.stream));
}

/** Ways to split a text: all partitions of a short one; of a longer one all cuts in two or three, and all sizes. */
export function* ways(text: string): Generator<string[]> {
  if (text.length <= 12) {
    yield* allPartitions(text);
    return;
  }
  yield* everyWay(text);
  if (text.length > 45) return;
  for (const [start = "", rest = ""] of everyCut(text)) {
    for (const pieces of everyCut(rest)) yield [start, ...pieces];
  }
}

/** Checks that `parse` and every split yield the same items without an error. */
export async function expectItems<Item>(
  parser: OutputParser<Item[], Item>,
  text: string,
  items: readonly Item[],
): Promise<void> {
  expect(parser.parse(text)).toEqual(items);
  for (const chunks of ways(text)) {
    const { parts, error } = await read(parser, chunks);
    if (error !== undefined || !same(parts, items)) {
      expect({ chunks, parts, error }).toEqual({ chunks, parts: items, error: undefined });
    }
  }
}

/** Checks that `parse` and every split report a text without items at its first character, unless that is allowed. */
export async function expectNoItems(
  parser: OutputParser<unknown[], unknown>,
  text: string,
  offset: number,
): Promise<void> {
  const details = { item: 0, offset, code: "no_items" };
  expect(thrown(() => parser.parse(text)).cause).toMatchObject(details);
  for (const chunks of ways(text)) {
    const { parts, error } = await read(parser, chunks);
    expect(parts).toEqual([]);
    expect(error).toMatchObject({ code: "invalid", value: [], cause: details });
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The chunks as they are read, and after each the parts that it yields. */
export async function timeline<Part>(
  parser: OutputParser<unknown, Part>,
  chunks: readonly string[],
): Promise<unknown[]> {
  const seen: unknown[] = [];
  async function* model(): AsyncGenerator<string> {
    for (const chunk of chunks) {
      seen.push(chunk);
      yield chunk;
    }
    seen.push("end");
  }
  for await (const part of parser.stream(model())) seen.push([part]);
  return seen;
}

/** Chunks of a message. The last has the finish reason. */
export function messageChunks(texts: readonly string[], finishReason: "stop" | "length"): Chunk[] {
  return [
    ...texts.map((text): Chunk => ({ content: [{ type: "text", text }] })),
    { content: [], finishReason },
  ];
}

export function thrown(work: () => unknown): OutputParserError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(OutputParserError);
    return error as OutputParserError;
  }
  throw new Error("Nothing was thrown.");
}

/** A case that reads a text in chunks: where its chunks come from, and where its results go. */
import { type LangChainParserName, loadPeer } from "../test/support/peers.js";
import { type Figure, perCharacter, timed } from "./harness/figures.js";

/** Reads all chunks once and keeps what it shows on the way. */
export type Read = (chunks: readonly string[]) => unknown;

/** The cost of a unit, by default of a character. The chunks are created before the first run. */
export function readingCost(
  id: string,
  load: () => Promise<Read>,
  chunksOf: () => readonly string[] | Promise<readonly string[]>,
  units?: number,
): Figure {
  const cost = timed(id, async () => {
    const chunks = await chunksOf();
    const read = await load();
    return { units: units ?? chunks.join("").length, run: () => read(chunks) };
  });
  return units === undefined ? perCharacter(cost) : { ...cost, unit: () => "ns" };
}

/**
 * Stores results, so the compiler cannot remove the work. Exported, so it cannot prove that nobody reads it.
 *
 * @public
 */
export const sink: { value: unknown } = { value: undefined };

export function keep(value: unknown): void {
  sink.value = value;
}

/** Reads everything and returns the last item. */
export async function drain(source: AsyncIterable<unknown>): Promise<unknown> {
  for await (const value of source) sink.value = value;
  return sink.value;
}

/** Reads text with a parser of LangChain.js: a new one for each run, because a parser remembers its runs. */
export async function langChainReader(
  name: LangChainParserName,
  fields: object = {},
): Promise<(chunks: readonly string[]) => Promise<unknown>> {
  const parsers = await loadPeer("@langchain/core/output_parsers");
  return (chunks) => drain(new parsers[name](fields).transform(arriving(chunks), {}));
}

/** An async iterator over items that are already there. */
export function arriving<T>(items: readonly T[]): AsyncIterableIterator<T, undefined, undefined> {
  let at = 0;
  return {
    next: () =>
      Promise.resolve(
        at < items.length ? { done: false, value: items[at++] as T } : { done: true, value: undefined },
      ),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

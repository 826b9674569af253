import { OutputParserError } from "millrace";
import { expect } from "vitest";

/** The parts of a stream and its error. */
export interface Reading<Part> {
  readonly parts: Part[];
  readonly error: OutputParserError | undefined;
}

/** Reads a stream of a parser to its end. Other errors than those of the parser are thrown. */
export async function readingOf<Part>(stream: AsyncIterable<Part>): Promise<Reading<Part>> {
  const parts: Part[] = [];
  try {
    for await (const part of stream) parts.push(part);
  } catch (error) {
    expect(error).toBeInstanceOf(OutputParserError);
    return { parts, error: error as OutputParserError };
  }
  return { parts, error: undefined };
}

/** The error of a stream that must fail, and the parts before it. */
export async function failure(
  stream: AsyncIterable<unknown>,
): Promise<{ readonly before: unknown[]; readonly error: OutputParserError }> {
  const { parts, error } = await readingOf(stream);
  if (error === undefined) throw new Error("The stream ended without an error.");
  return { before: parts, error };
}

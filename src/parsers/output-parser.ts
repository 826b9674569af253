import type { MessageChunk } from "../messages/chunk.js";
import type { Operator } from "../stream/operator.js";
import type { Output } from "./text-of-output.js";

/** What a parser reads while it arrives: text, or what a model streams. Of the latter it takes the text. */
export type Chunk = string | MessageChunk;

/**
 * How a format is asked for, and read.
 *
 * @typeParam T the whole output
 * @typeParam Part what is known of it while it arrives
 */
export interface OutputParser<T, Part> {
  /** What to put into the prompt, so that the model writes the format. */
  readonly instructions: string;
  /** Reads the whole output: its text, the message of a model, or a generation. Throws an `OutputParserError`. */
  parse(output: Output): T;
  /** Reads the output as it arrives. Ends with an `OutputParserError` if the output is cut or not in the format. */
  readonly stream: Operator<Chunk, Part>;
}

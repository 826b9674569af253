import type { MessageChunk } from "../messages/chunk.js";
import { user } from "../messages/constructors.js";
import type { HumanMessage } from "../messages/message.js";
import { forwardingIterator } from "../stream/core/forwarding-iterator.js";
import type { Operator } from "../stream/operator.js";
import { stage } from "../stream/core/stage.js";
import { tap } from "../stream/operators/tap.js";
import { type Chunk, ChunkReader, type OutputParser } from "./output-parser.js";
import { OutputParserError } from "./errors.js";

/** A model, as far as it is asked again: any `ChatModel`. */
export interface AskedAgain {
  stream(input: readonly HumanMessage[]): AsyncIterable<MessageChunk>;
}

/** The options of `retrying()`. */
export interface RetryingOptions {
  /** How many times to ask again at most. Default: 1. */
  readonly maxRetries?: number;
  /** Told of each error that led to another call, before it is made. */
  readonly onRetry?: (error: OutputParserError, attempt: number) => void;
  /** What the model is asked then. Default: the output, what is wrong with it, and the parser's instructions. */
  readonly prompt?: (failed: FailedOutput) => string;
}

/** What a model wrote, and why it could not be read. */
export interface FailedOutput {
  readonly output: string;
  readonly error: OutputParserError;
  readonly instructions: string;
}

/** A parser that asks again. */
export interface RetryingParser<T, Part> {
  /** The parts of the first output; if that fails, those of the next, from its beginning. */
  readonly stream: Operator<Chunk, Part>;
  /** The finished output, once. */
  readonly final: Operator<Chunk, T>;
}

/**
 * Reads the output of a model, and if it cannot be read asks a model to write it again: with the output, the error, and the
 * instructions of the parser, at most so many times. The error of the last attempt is the one that is thrown. Errors
 * that are no `OutputParserError`, as those of a connection, are not retried.
 *
 * @param model what is asked again; it need not be the model that wrote the first output
 *
 * @example
 * ```ts
 * import { collect, from, jsonParser, pipe, retrying } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const model = scriptedModel(['{"stars": 5}']);
 * const parser = retrying(jsonParser(z.object({ stars: z.int().max(5) })), model);
 * console.log(await collect(pipe(from(['{"stars": 9}']), parser.final))); // [{ stars: 5 }]
 * ```
 */
export function retrying<T, Part>(
  parser: OutputParser<T, Part> & { readonly final?: Operator<Chunk, T> },
  model: AskedAgain,
  options: RetryingOptions = {},
): RetryingParser<T, Part> {
  const again = <Out>(read: Operator<Chunk, Out>): Operator<Chunk, Out> =>
    attempts(read, parser, model, options);
  return { stream: again(parser.stream), final: again(parser.final ?? wholeOf(parser)) };
}

function attempts<Out>(
  read: Operator<Chunk, Out>,
  { instructions }: { readonly instructions: string },
  model: AskedAgain,
  { maxRetries = 1, onRetry, prompt = correction }: RetryingOptions,
): Operator<Chunk, Out> {
  return (source) => ({
    [Symbol.asyncIterator]() {
      let text = "";
      const open = (chunks: AsyncIterable<Chunk>): AsyncIterator<Out> => {
        text = "";
        return read(listened(chunks, (delta) => (text += delta)))[Symbol.asyncIterator]();
      };
      let current = open(source);
      let attempt = 1;
      let left = false;
      const next = async (): Promise<IteratorResult<Out>> => {
        for (;;) {
          try {
            return await current.next();
          } catch (error) {
            if (left || !(error instanceof OutputParserError) || attempt > maxRetries) throw error;
            onRetry?.(error, attempt);
            attempt++;
            current = open(model.stream([user(prompt({ output: text, error, instructions }))]));
          }
        }
      };
      return forwardingIterator(() => current, {
        next,
        close: () => {
          left = true;
          return current.return?.();
        },
      });
    },
  });
}

function correction({ output, error, instructions }: FailedOutput): string {
  return [
    "This output cannot be read:",
    output,
    `What is wrong with it: ${error.message}`,
    `Write all of it again, corrected. ${instructions}`,
  ].join("\n\n");
}

/** For a parser that has no view of the end. It is read as a stream too, which checks the end. */
function wholeOf<T, Part>(parser: OutputParser<T, Part>): Operator<Chunk, T> {
  return (source) => ({
    [Symbol.asyncIterator]() {
      let text = "";
      const atEnd = stage<Part, T>((emit) => ({
        next: () => {},
        end: () => {
          emit(parser.parse(text));
        },
      }));
      const parts = parser.stream(listened(source, (delta) => (text += delta)));
      return atEnd(parts)[Symbol.asyncIterator]();
    },
  });
}

/** The same chunks, while somebody hears their text. */
function listened(source: AsyncIterable<Chunk>, hear: (text: string) => void): AsyncIterable<Chunk> {
  const reader = new ChunkReader();
  return tap<Chunk>((chunk) => {
    hear(reader.read(chunk));
  })(source);
}

import { checkArgument } from "../text/check-options.js";
import type { MessageChunk } from "../messages/chunk.js";
import { user } from "../messages/constructors.js";
import type { HumanMessage } from "../messages/message.js";
import { forwardingIterator } from "../stream/core/forwarding-iterator.js";
import type { Operator } from "../stream/operator.js";
import { stage } from "../stream/core/stage.js";
import { tap } from "../stream/operators/tap.js";
import { type Chunk, ChunkReader, type OutputParser } from "./output-parser.js";
import { cut, textForModel } from "../text/cut.js";
import { OutputParserError } from "./errors.js";
import { noop } from "../stream/core/result.js";
import { wholeNumber } from "../text/check-number.js";
import { isInstance, hasMethod } from "../text/thrown.js";

/** The part of a `ChatModel` that `retrying()` calls. */
export interface AskedAgain {
  stream(input: readonly HumanMessage[]): AsyncIterable<MessageChunk>;
}

/** The options of `retrying()`. */
export interface RetryingOptions {
  /** How many times to ask again at most. Default: 1. */
  readonly maxRetries?: number;
  /** Called with each error that leads to another attempt, before that attempt. */
  readonly onRetry?: (error: OutputParserError, attempt: number) => void;
  /** Makes the prompt for another attempt. Default: the output, its error and the parser's instructions. */
  readonly prompt?: (failed: FailedOutput) => string;
}

/** An output that could not be parsed. */
export interface FailedOutput {
  readonly output: string;
  readonly error: OutputParserError;
  readonly instructions: string;
}

/** A parser that asks the model again. */
export interface RetryingParser<T, Part> {
  /** Yields the parts of the first output. If that fails, it yields those of the next output from its beginning. */
  readonly stream: Operator<Chunk, Part>;
  /** Yields the parsed output once, at the end. */
  readonly final: Operator<Chunk, T>;
}

/**
 * Parses the output of a model, and asks a model to correct an output that cannot be parsed. The prompt has the output,
 * the error, and the parser's instructions. After `maxRetries` attempts the last error is thrown. Only an
 * `OutputParserError` is retried, not, for example, the error of a connection.
 *
 * @param model the model to ask again; it may differ from the model of the first output
 *
 * @throws {RangeError} if `maxRetries` is no whole number of at least 0
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
  checkArgument("retrying()", "a parser", hasMethod(parser, "stream"), parser);
  wholeNumber("maxRetries", options.maxRetries ?? 1, 0);
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
        return read(withText(chunks, (delta) => (text += delta)))[Symbol.asyncIterator]();
      };
      let current = open(source);
      let attempt = 1;
      let closed = false;
      const next = async (): Promise<IteratorResult<Out>> => {
        for (;;) {
          try {
            return await current.next();
          } catch (error) {
            if (closed || !isInstance(error, OutputParserError) || attempt > maxRetries) throw error;
            onRetry?.(error, attempt);
            attempt++;
            current = open(model.stream([user(prompt({ output: text, error, instructions }))]));
          }
        }
      };
      return forwardingIterator(() => current, {
        next,
        close: () => {
          closed = true;
          return current.return?.();
        },
      });
    },
  });
}

function correction({ output, error, instructions }: FailedOutput): string {
  return [
    "This output cannot be parsed:",
    cut(output, maxOutput),
    `The error: ${textForModel(error.message)}`,
    `Write the whole output again, with the error corrected. ${instructions}`,
  ].join("\n\n");
}

/** A longer output is cut in the prompt. It would not fit into most answers anyway. */
const maxOutput = 200_000;

/** Makes `.final` for a parser that has none. It also reads `.stream`, which checks the end. */
function wholeOf<T, Part>(parser: OutputParser<T, Part>): Operator<Chunk, T> {
  return (source) => ({
    [Symbol.asyncIterator]() {
      let text = "";
      const atEnd = stage<Part, T>((emit) => ({
        next: noop,
        end: () => {
          emit(parser.parse(text));
        },
      }));
      const parts = parser.stream(withText(source, (delta) => (text += delta)));
      return atEnd(parts)[Symbol.asyncIterator]();
    },
  });
}

/** The same chunks, with a callback for their text. */
function withText(source: AsyncIterable<Chunk>, onText: (text: string) => void): AsyncIterable<Chunk> {
  const reader = new ChunkReader();
  return tap<Chunk>((chunk) => {
    onText(reader.read(chunk));
  })(source);
}

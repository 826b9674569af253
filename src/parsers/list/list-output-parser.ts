import type { OptionNames } from "../../text/check-options.js";
import { ListError } from "../../list/errors.js";
import type { CreateListReader, ListReader } from "../../list/list-reader.js";
import { requireItem } from "../../list/require-item.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { AfterThinking } from "./after-thinking.js";
import { type Chunk, ChunkReader, type OutputParser, textOfOutput } from "../output-parser.js";
import { OutputParserError } from "../errors.js";
import { truncatedError, stoppedEarly } from "../truncation.js";
import { isInstance } from "../../text/thrown.js";

/** The options of every list parser. */
export interface ListParserBaseOptions {
  /**
   * How many UTF-16 code units one item may have in the output. A longer item ends the stream with an error whose
   * `cause` is a `ListError` with `code: "max_item_length"`. Default: 1,048,576.
   */
  readonly maxItemLength?: number;
  /**
   * The reaction to cut output: its finish reason is `length` or `content_filter`, or it ends inside quotes or a
   * `<think>`. Either end with an error, or keep the last item as far as it is known. Default: "error".
   */
  readonly onTruncated?: "error" | "keep";
  /**
   * Whether an output in which no item is found is an empty list. Otherwise it is an error with a `ListError` as
   * `cause` and `code: "no_items"`; an output without text is an empty list in any case. Default: false.
   */
  readonly allowEmpty?: boolean;
  /**
   * The instructions for the prompt. Default: a description of the format, with an example, or the expression of
   * `listParser()`.
   */
  readonly instructions?: string;
}

export const listOptionNames: OptionNames<ListParserBaseOptions> = {
  maxItemLength: true,
  onTruncated: true,
  allowEmpty: true,
  instructions: true,
};

/** The parser of a list. `parse()` returns all items. */
export interface ListOutputParser<Item> extends OutputParser<Item[], Item> {
  /** Yields one complete item of the list at a time, in order, as soon as no further text can change it. */
  readonly stream: Operator<Chunk, Item>;
}

/**
 * Makes an output parser of a list reader. The `value` of an error has the items that were not returned: in `parse()`
 * all of them, in a stream the last one, as far as it is known. Streams do not keep the items that they yielded.
 *
 * @param expected the form of an item, for the error of an output without items
 */
export function listOutputParser<Item>(
  defaultInstructions: string,
  createReader: CreateListReader<Item>,
  expected: string,
  { onTruncated = "error", allowEmpty = false, instructions = defaultInstructions }: ListParserBaseOptions,
): ListOutputParser<Item> {
  const createAt = allowEmpty ? createReader : requireItem(createReader, expected);
  const create = (emit: (item: Item) => void): ListReader =>
    new AfterThinking((offset) => createAt(emit, offset));
  /** @param items the list to which the reader adds its last items */
  const end = (reader: ListReader, items: Item[], finishReason: FinishReason | undefined): void => {
    try {
      reader.end();
    } catch (error) {
      // A list may have followed the text of an output that was cut.
      const isCut = stoppedEarly(finishReason) && isNoItems(error);
      const isKept = onTruncated === "keep" && isCutInside(error);
      if (!isCut && !isKept) throw outputError(error, items, finishReason);
    }
    if (stoppedEarly(finishReason) && onTruncated === "error") {
      throw truncatedError("the list may lack items, and its last item may be cut", items, finishReason);
    }
  };
  return {
    instructions,
    parse: (output) => {
      const { text, finishReason } = textOfOutput(output);
      const items: Item[] = [];
      const reader = create((item) => items.push(item));
      try {
        reader.write(text);
      } catch (error) {
        throw outputError(error, items, finishReason);
      }
      end(reader, items, finishReason);
      return items;
    },
    stream: stage((emit) => {
      let items: Item[] = [];
      const reader = create((item) => items.push(item));
      const chunks = new ChunkReader();
      const emitItems = (): void => {
        if (items.length === 0) return;
        const complete = items;
        items = [];
        complete.forEach(emit);
      };
      return {
        next: (chunk) => {
          try {
            reader.write(chunks.read(chunk));
          } catch (error) {
            emitItems();
            throw outputError(error, items, chunks.finishReason);
          }
          emitItems();
        },
        end: () => {
          end(reader, items, chunks.finishReason);
          emitItems();
        },
      };
    }),
  };
}

/** Whether the text ended where a list cannot end. */
function isCutInside(error: unknown): boolean {
  return (
    isInstance(error, ListError) && (error.code === "unclosed_quote" || error.code === "unclosed_thinking")
  );
}

function isNoItems(error: unknown): boolean {
  return isInstance(error, ListError) && error.code === "no_items";
}

function outputError(
  error: unknown,
  value: readonly unknown[],
  finishReason: FinishReason | undefined,
): unknown {
  if (!isInstance(error, ListError)) return error;
  const code = isCutInside(error) ? "truncated" : "invalid";
  return new OutputParserError(code, error.message, { value, finishReason, cause: error });
}

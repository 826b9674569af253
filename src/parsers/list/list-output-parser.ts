import { ListError } from "../../list/errors.js";
import type { CreateListReader, ListReader } from "../../list/list-reader.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { stage } from "../../stream/core/stage.js";
import { behindThinking } from "./behind-thinking.js";
import { ChunkReader, type OutputParser, textOfOutput } from "../output-parser.js";
import { OutputParserError } from "../errors.js";
import { truncatedError, stoppedEarly } from "../truncation.js";

/** What the options of all lists have in common. */
export interface ListParserBaseOptions {
  /**
   * How many UTF-16 code units one item may have, as it is written; beyond that the stream ends with an error whose
   * `cause` is a `ListError` with `code: "max_item_length"`. Default: 1,048,576.
   */
  readonly maxItemLength?: number;
  /**
   * What to do with the last item where the output is cut (its finish reason is `length` or `content_filter`, or it ends
   * within quotes or a `<think>`): end with an error, or give the item as far as it goes. Default: "error".
   */
  readonly onTruncated?: "error" | "keep";
}

/** The parser of a list: one item after the other while they arrive, and all of them at the end. */
export type ListOutputParser<Item> = OutputParser<Item[], Item>;

/**
 * The thin shell around the machine of a list. An error carries as its `value` what has not been handed out: in `parse`
 * all items, in a stream the last one, as far as it is known. Streams keep nothing of what they have given.
 */
export function listOutputParser<Item>(
  instructions: string,
  createReader: CreateListReader<Item>,
  onTruncated: "error" | "keep" = "error",
): ListOutputParser<Item> {
  const create = behindThinking(createReader);
  /** @param items to which the reader gives its last one */
  const end = (reader: ListReader, items: Item[], finishReason: FinishReason | undefined): void => {
    try {
      reader.end();
    } catch (error) {
      if (!isCutInside(error) || onTruncated === "error") throw outputError(error, items, finishReason);
    }
    if (stoppedEarly(finishReason) && onTruncated === "error") {
      throw truncatedError("the list may lack items, and its last one a part", items, finishReason);
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
      const give = (): void => {
        if (items.length === 0) return;
        const certain = items;
        items = [];
        for (const item of certain) emit(item);
      };
      return {
        next: (chunk) => {
          try {
            reader.write(chunks.read(chunk));
          } catch (error) {
            give();
            throw outputError(error, items, chunks.finishReason);
          }
          give();
        },
        end: () => {
          end(reader, items, chunks.finishReason);
          give();
        },
      };
    }),
  };
}

/** Whether the text ended where none can. */
function isCutInside(error: unknown): boolean {
  return error instanceof ListError && error.code !== "max_item_length";
}

/** The error of the machine as that of an output parser, with why the model stopped. */
function outputError(
  error: unknown,
  value: readonly unknown[],
  finishReason: FinishReason | undefined,
): unknown {
  if (!(error instanceof ListError)) return error;
  const code = isCutInside(error) ? "truncated" : "invalid";
  return new OutputParserError(code, error.message, { value, finishReason, cause: error });
}

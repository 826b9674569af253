import { MillraceError } from "../errors.js";
import { quoted } from "../text/cut.js";

/**
 * - `max_item_length`: an item, or the text between two items, is longer than `maxItemLength` allows
 * - `no_items`: the text has no item
 * - `unclosed_quote`: the text ended inside a quoted item
 * - `unclosed_thinking`: the text ended inside a `<think>`, before the list
 */
export type ListErrorCode = "max_item_length" | "no_items" | "unclosed_quote" | "unclosed_thinking";

/** The details of a `ListError`. */
export interface ListErrorDetails {
  /** The index of the item, counted from 0. */
  readonly item: number;
  /** The offset of the item in the whole text, in UTF-16 code units from 0. It does not depend on the chunks. */
  readonly offset: number;
}

/**
 * A list is cut inside an item, is cut before it begins, exceeds a bound, or is missing. Names the item and where it
 * begins, or where the text without items does.
 */
export class ListError extends MillraceError<ListErrorCode> implements ListErrorDetails {
  override readonly name: string = "ListError";
  readonly item: number;
  readonly offset: number;

  constructor(code: ListErrorCode, message: string, { item, offset }: ListErrorDetails) {
    super(code, message);
    this.item = item;
    this.offset = offset;
  }
}

/** The error of an item that does not end within the bound. */
export function itemTooLong(maxItemLength: number, start: string, details: ListErrorDetails): ListError {
  const { item, offset } = details;
  const message =
    `Expected item ${item + 1}, which begins at offset ${offset}, to end within ${maxItemLength} characters ` +
    `(maxItemLength), but it is longer: ${quoted(start.slice(0, maxItemLength + 1), Math.min(40, maxItemLength))}.`;
  return new ListError("max_item_length", message, details);
}

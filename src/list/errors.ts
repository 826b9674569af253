import { MillraceError } from "../errors.js";

/**
 * - `max_item_length`: an item, or the text between two items, is longer than `maxItemLength` allows
 * - `unclosed_quote`: the text ended inside a quoted item
 * - `unclosed_thinking`: the text ended inside a `<think>`, before the list
 */
export type ListErrorCode = "max_item_length" | "unclosed_quote" | "unclosed_thinking";

/** What a `ListError` knows. */
export interface ListErrorDetails {
  /** The index of the item, from 0: so many came before it. */
  readonly item: number;
  /** Where it begins in the whole text, in UTF-16 code units from 0, whatever the chunks were. */
  readonly offset: number;
}

/** The text of a list is cut inside an item or before the list, or breaks a bound. Says in which item, and where that begins. */
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

/** The error of an item that has no end within the bound. */
export function itemTooLong(maxItemLength: number, begun: string, details: ListErrorDetails): ListError {
  const { item, offset } = details;
  const message =
    `Expected item ${item + 1}, which begins at offset ${offset}, to end within ${maxItemLength} characters ` +
    `(maxItemLength), but it goes on: ${excerpt(begun)}.`;
  return new ListError("max_item_length", message, details);
}

/** How an item begins, for a message. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${JSON.stringify(text.slice(0, 40))}…` : JSON.stringify(text);
}

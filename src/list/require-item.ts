import { quoted } from "../text/cut.js";
import { ListError } from "./errors.js";
import type { CreateListReader } from "./list-reader.js";

/**
 * Reports a text that has no item, at its end. White space alone is an empty list.
 *
 * @param expected the form of an item, for the message
 */
export function requireItem<Item>(create: CreateListReader<Item>, expected: string): CreateListReader<Item> {
  return (emit, offset) => {
    let found = false;
    /** The start of the text, and where it begins. */
    let start = "";
    let startOffset = offset;
    const reader = create((item) => {
      found = true;
      emit(item);
    }, offset);
    return {
      write(text) {
        reader.write(text);
        if (start.length > MAX_EXCERPT) return;
        const rest = start === "" ? text.trimStart() : text;
        startOffset += text.length - rest.length;
        start += rest;
      },
      end() {
        reader.end();
        if (found || start === "") return;
        const message = `Expected ${expected}, but found none in ${quoted(start, MAX_EXCERPT)}.`;
        throw new ListError("no_items", message, { item: 0, offset: startOffset });
      },
    };
  };
}

const MAX_EXCERPT = 80;

import type { JsonParser } from "../../json/parser.js";
import { childPointer, isIndex, parsePointer } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { OutputParserError } from "../errors.js";
import type { JsonView } from "./json-stage.js";

/**
 * Gives each element of the array at a pointer once, as soon as it is complete. When a key on the way is given twice, the
 * array of the later one is another array, and its elements come too.
 *
 * @throws {TypeError} if the pointer is none (RFC 6901)
 */
export function itemsAt(pointer: string): () => JsonView<JsonValue> {
  const keys = parsePointer(pointer);
  const prefix = childPointer(pointer, "");
  return () => {
    let complete: JsonValue[] = [];
    return {
      onComplete(place, value) {
        if (place.startsWith(prefix) && isIndex(place.slice(prefix.length))) complete.push(value);
      },
      show(parser, emit) {
        const found = valueAt(parser.value, keys);
        if (found !== undefined && found !== null && !Array.isArray(found))
          throw notAnArray(pointer, found, parser);
        if (complete.length === 0) return;
        complete.forEach(emit);
        complete = [];
      },
    };
  };
}

function notAnArray(pointer: string, found: JsonValue, parser: JsonParser): OutputParserError {
  const place = pointer === "" ? "the root" : pointer;
  const message = `Expected an array at ${place}, but found ${JSON.stringify(found).slice(0, 40)}.`;
  return new OutputParserError("not_an_array", message, { value: parser.snapshot() });
}

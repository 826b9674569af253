import type { JsonParser } from "../../json/parser.js";
import { childPointer, isIndex } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { placeOf } from "../../schema/schema.js";
import { quoted } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import { OutputParserError } from "../errors.js";
import type { JsonView } from "./json-stage.js";

/**
 * Emits each element of the array at a pointer once, as soon as it is complete. When the document repeats a key on the
 * way, the elements of both arrays are emitted.
 *
 * @param keys the pointer, parsed
 */
export function itemsAt(pointer: string, keys: readonly string[]): () => JsonView<JsonValue> {
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
  const shown = typeof found === "string" ? quoted(found, 40) : excerpt(found, 40);
  const message = `Expected an array at ${placeOf(pointer)}, but found ${shown}.`;
  return new OutputParserError("not_an_array", message, { value: parser.snapshot() });
}

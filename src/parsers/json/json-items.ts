import type { JsonParser } from "../../json/parser.js";
import { childPointer, isIndex } from "../../tree/pointer.js";
import { type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import { placeOf } from "../../schema/schema.js";
import { wordsForValue } from "../../schema/values.js";
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
    let other: JsonValue | undefined;
    return {
      onComplete(place, value) {
        if (place === pointer && other === undefined && isOther(value)) other = value;
        const isItem = place.startsWith(prefix) && isIndex(place.slice(prefix.length));
        if (isItem && other === undefined) complete.push(value);
      },
      show(parser, emit) {
        if (complete.length > 0) {
          complete.forEach(emit);
          complete = [];
        }
        const found = other ?? valueAt(parser.value, keys);
        if (isOther(found)) throw notAnArray(pointer, found, parser);
      },
    };
  };
}

function isOther(value: JsonValue | undefined): value is JsonObject | string | number | boolean {
  return value !== undefined && value !== null && !Array.isArray(value);
}

function notAnArray(pointer: string, found: JsonValue, parser: JsonParser): OutputParserError {
  const message = `Expected an array at ${placeOf(pointer)}, but found ${wordsForValue(found)}.`;
  return new OutputParserError("not_an_array", message, { value: parser.snapshot() });
}

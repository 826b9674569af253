import { type JsonValue, valueAt } from "../../json/value.js";
import type { JsonOutputParser } from "../../parsers/json/json-parser.js";
import { type Chunk, ChunkReader } from "../../parsers/output-parser.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { tap } from "../../stream/operators/tap.js";
import { similarTo } from "../../text/similar.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import { parserFor } from "./parser-for.js";
import { UsageError } from "../terminal/usage-error.js";

/**
 * Creates the stage of `--items`.
 *
 * @param onMiss called at the end of a document that has no array at the pointer, with a message
 * @throws {UsageError} if the pointer cannot lead to an array of the schema
 */
export function itemsStage(
  parser: JsonOutputParser<JsonValue, JsonValue>,
  pointer: string,
  onMiss: (message: string) => void,
): Operator<Chunk, unknown> {
  const items = itemsOf(parser, pointer);
  return (source) => {
    const reader = new ChunkReader();
    /** The text before the first item. If no item comes, the pointer is looked up in it. */
    let text = "";
    let found = false;
    const before = tap((chunk: Chunk) => {
      if (!found) text += reader.read(chunk);
    });
    const after = stage<unknown, unknown>((emit) => ({
      next: (item) => {
        found = true;
        text = "";
        emit(item);
      },
      end: () => {
        // A parser of its own, so a repair is not reported twice.
        const root = found ? undefined : parserFor(undefined).parse(text);
        if (root !== undefined && valueAt(root, parsePointer(pointer)) === undefined)
          onMiss(missMessage(root, pointer));
      },
    }));
    return after(items(before(source)));
  };
}

function itemsOf(parser: JsonOutputParser<JsonValue, JsonValue>, pointer: string): Operator<Chunk, unknown> {
  try {
    return parser.items(pointer);
  } catch (error) {
    throw new UsageError(`--items: ${(error as Error).message}`);
  }
}

/** Says what is there instead, at the deepest place on the way. */
function missMessage(root: JsonValue, pointer: string): string {
  let place = "";
  let value = root;
  for (const key of parsePointer(pointer)) {
    const child = valueAt(value, [key]);
    if (child !== undefined) {
      place = childPointer(place, key);
      value = child;
      continue;
    }
    if (Array.isArray(value))
      return `--items ${pointer} matched nothing. Did you mean ${place === "" ? '""' : place}, an array?`;
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const similar = similarTo(key, keys);
    if (similar !== undefined && Array.isArray(valueAt(value, [similar])))
      return `--items ${pointer} matched nothing. Did you mean ${childPointer(place, similar)}?`;
    const shown = keys.slice(0, 10).join(", ") + (keys.length > 10 ? ", …" : "");
    const where = place === "" ? "The root" : place;
    const has = keys.length === 0 ? `has no "${key}"` : `has no "${key}", only ${shown}`;
    return `--items ${pointer} matched nothing. ${where} ${has}.`;
  }
  return `--items ${pointer} matched nothing.`;
}

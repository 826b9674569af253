import type { JsonParser } from "../../json/parser.js";
import { childPointer } from "../../tree/pointer.js";
import type { JsonValue } from "../../json/value.js";
import type { JsonView } from "./json-stage.js";

/** The last word about one value of a document. */
export interface JsonEvent {
  /** Where it stands: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** What it is, immutable. */
  readonly value: JsonValue;
  /** Whether it had ended. If not, the text was cut or went wrong inside it, and `value` is what was known by then. */
  readonly complete: boolean;
}

/** Gives each value as it completes, and at an early end those that are still open. The inner ones come first. */
export function events(): JsonView<JsonEvent> {
  let complete: JsonEvent[] = [];
  return {
    onComplete(pointer, value) {
      complete.push({ pointer, value, complete: true });
    },
    show(_parser, emit) {
      if (complete.length === 0) return;
      complete.forEach(emit);
      complete = [];
    },
    close(parser, emit) {
      openValues(parser).forEach(emit);
    },
  };
}

/**
 * What is shown and has not ended. The parser is asked about each member of an open object, as the open one need not be
 * the last: its key may have come before. Those that have ended gave an event with as long a pointer, so that this costs
 * no more than they did.
 */
function openValues(parser: JsonParser): JsonEvent[] {
  const open: JsonEvent[] = [];
  const root = parser.snapshot();
  let places: readonly Place[] = root === undefined ? [] : [["", root]];
  for (;;) {
    const found = places.find(([pointer]) => !parser.isComplete(pointer));
    if (found === undefined) return open.reverse();
    const [pointer, value] = found;
    open.push({ pointer, value, complete: false });
    places = mayBeOpen(pointer, value);
  }
}

type Place = readonly [pointer: string, value: JsonValue];

function mayBeOpen(pointer: string, value: JsonValue): Place[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.slice(-1).map((child) => [childPointer(pointer, value.length - 1), child]);
  }
  return Object.entries(value).map(([key, child]) => [childPointer(pointer, key), child]);
}

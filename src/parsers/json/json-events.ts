import type { JsonParser } from "../../json/parser.js";
import { childPointer } from "../../tree/pointer.js";
import type { JsonValue } from "../../json/value.js";
import type { JsonView } from "./json-stage.js";

/** A value of a document that is complete, or that the end of the output left open. */
export interface JsonEvent {
  /** The place of the value: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The value, immutable. */
  readonly value: JsonValue;
  /** False if the output was truncated or became invalid inside the value. `value` is then the part that was read. */
  readonly complete: boolean;
}

/** Emits each value when it completes, and at an early end the values that are still open. Inner values come first. */
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
 * The values that are shown but not complete. Every member of an open object is checked, because a repeated key can make
 * a member other than the last the open one. Each complete member has already emitted an event, so this costs no more
 * than those events.
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

import type { JsonParser } from "../../json/parser.js";
import { declaredAt } from "../../schema/part/declared-at.js";
import type { Shapes } from "../../schema/guard/shape.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import type { JsonValue } from "../../json/value.js";
import type { JsonView } from "./json-stage.js";

/**
 * A value of a document has changed its state:
 *
 * - `pending`: an object has begun, and the schema names this member of it, which has not
 * - `incomplete`: the value has begun. At an early end, an event with the part that was read follows
 * - `complete`: the value has ended
 */
export type JsonEvent =
  | JsonEventAt<"pending", undefined>
  | JsonEventAt<"incomplete", JsonValue | undefined>
  | JsonEventAt<"complete", JsonValue>;

/** A `JsonEvent` of one state. */
export interface JsonEventAt<State extends string, Value> {
  /** The place of the value: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly state: State;
  /** The value, immutable. */
  readonly value: Value;
}

/** Emits each change of a state in the order of the text, and at an early end the values that are still open. */
export function events(shapes: Shapes | undefined): JsonView<JsonEvent> {
  let changes: JsonEvent[] = [];
  return {
    onBegin(pointer, isObject) {
      changes.push({ pointer, state: "incomplete", value: undefined });
      if (!isObject || shapes === undefined) return;
      for (const name of declaredAt(shapes, parsePointer(pointer))) {
        changes.push({ pointer: childPointer(pointer, name), state: "pending", value: undefined });
      }
    },
    onComplete(pointer, value) {
      changes.push({ pointer, state: "complete", value });
    },
    show(parser, emit, characters) {
      if (changes.length > 0) {
        changes.forEach(emit);
        changes = [];
      }
      if (characters === 0) openValues(parser).forEach(emit);
    },
  };
}

/**
 * The values that are shown but not complete. Every member of an open object is checked, because a repeated key can
 * make a member other than the last the open one. Each complete member has already emitted an event, so this costs no
 * more than those events.
 */
function openValues(parser: JsonParser): JsonEvent[] {
  const open: JsonEvent[] = [];
  const root = parser.snapshot();
  let places: readonly PlacedValue[] = root === undefined ? [] : [["", root]];
  for (;;) {
    const found = places.find(([pointer]) => !parser.isComplete(pointer));
    if (found === undefined) return open.reverse();
    const [pointer, value] = found;
    open.push({ pointer, state: "incomplete", value });
    places = mayBeOpen(pointer, value);
  }
}

type PlacedValue = readonly [pointer: string, value: JsonValue];

function mayBeOpen(pointer: string, value: JsonValue): PlacedValue[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.slice(-1).map((child) => [childPointer(pointer, value.length - 1), child]);
  }
  return Object.entries(value).map(([key, child]) => [childPointer(pointer, key), child]);
}

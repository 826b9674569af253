import { expandInTurn, type RfcPatchOperation } from "../../json/patch/expand-appends.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";

/** Where a client of AG-UI shows a value. */
export interface AgUiValuePlace<Event> {
  /** The content without the value. A member for the value is added to it. */
  readonly before: JsonValue;
  /** The member that holds the value. `undefined`: it is shown alone. */
  keyOf(value: JsonValue): string | undefined;
  snapshot(content: JsonValue): Event;
  delta(patch: readonly RfcPatchOperation[]): Event;
}

/** A value that grows in the state or in an activity of a client. */
export class AgUiValue<Event> {
  private readonly place: AgUiValuePlace<Event>;
  private value: JsonValue | undefined;
  /** The member that holds the value in the last snapshot. */
  private key: string | undefined;
  /** Containers that were not passed on and may be mutated. */
  private own = new WeakSet();

  constructor(place: AgUiValuePlace<Event>) {
    this.place = place;
  }

  /** Converts a change of the value: a delta, or a snapshot where the value starts. */
  change(patch: readonly AnyPatchOperation[]): Event {
    const isWhole =
      this.value === undefined ||
      patch.some((it) => it.path === "" || isBannedPath(it.path) || ("from" in it && isBannedPath(it.from)));
    const { operations, value } = expandInTurn(patch, this.value, this.own);
    this.value = value;
    if (isWhole) {
      this.own = new WeakSet();
      return this.place.snapshot(this.content(value ?? null));
    }
    const root = this.key === undefined ? "" : childPointer("", this.key);
    const placed = operations.map((each) => ({
      ...each,
      path: root + each.path,
      ...("from" in each && { from: root + each.from }),
    }));
    return this.place.delta(placed);
  }

  /** Takes back what was shown. */
  clear(): Event {
    this.value = undefined;
    return this.place.snapshot(this.place.before);
  }

  private content(value: JsonValue): JsonValue {
    const { before } = this.place;
    this.key = this.place.keyOf(value);
    if (this.key === undefined) return value;
    return { ...(isObject(before) ? before : undefined), [this.key]: value };
  }
}

/** AG-UI's client applies patches with fast-json-patch, which refuses these keys. A snapshot is sent instead. */
function isBannedPath(path: string): boolean {
  return /\/(?:__proto__|constructor\/prototype)(?:\/|$)/.test(path);
}

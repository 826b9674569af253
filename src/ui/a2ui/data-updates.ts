import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { isBelow, pointerTo } from "../../tree/pointer.js";
import { keysRefused } from "./a2ui-message.js";

/** A place in a data model. */
type DataKeys = readonly string[];

/** A value of a data model that is sent again. Without a value, it is removed. */
export interface DataUpdate {
  /** `/` for the whole model. */
  readonly path: string;
  readonly value?: JsonValue;
}

/**
 * The places that a renderer has to get anew after an operation. It can set a member or the next element of a list, and
 * remove a member. For everything else, it gets the list around the place.
 *
 * @param keys the place of the operation
 * @param from the place that a value leaves
 * @param before the model before the operation
 */
export function placesChangedBy(
  { op }: AnyPatchOperation,
  keys: DataKeys,
  from: DataKeys | undefined,
  before: JsonValue | undefined,
): readonly DataKeys[] {
  if (op === "test") return [];
  const left = op === "move" && from !== undefined ? [removal(from, before)] : [];
  if (op === "remove") return [removal(keys, before)];
  return [...left, op === "replace" || op === "append" ? keys : addition(keys, before)];
}

/**
 * The updates for these places, with the values that the model has in the end.
 *
 * @param prefix the keys before those of the model
 * @param nullRemoves whether a `null` removes, as in v1.0, so that a member that is `null` needs its container
 */
export function updatesFor(
  places: readonly DataKeys[],
  model: JsonValue | undefined,
  prefix: DataKeys,
  nullRemoves: boolean,
): readonly DataUpdate[] {
  const found = new Map<string, DataKeys>();
  for (const place of places) {
    const keys = settable(place, model, nullRemoves);
    found.set(pointerTo(keys), keys);
  }
  const updates: DataUpdate[] = [];
  for (const [pointer, keys] of found) {
    if (isBelow(pointer, found)) continue;
    const value = valueAt(model, keys);
    const path = pointerTo(prefix) + pointer || "/";
    // The renderer may change what it gets.
    if (value !== undefined) updates.push({ path, value: structuredClone(value) });
    else updates.push(nullRemoves ? { path, value: null } : { path });
  }
  return updates;
}

/** The place that shows that a value is gone. */
function removal(keys: DataKeys, before: JsonValue | undefined): DataKeys {
  const parent = keys.slice(0, -1);
  return Array.isArray(valueAt(before, parent)) ? parent : keys;
}

/** The place that shows that a value was added. */
function addition(keys: DataKeys, before: JsonValue | undefined): DataKeys {
  const parent = keys.slice(0, -1);
  const around = keys.length === 0 ? undefined : valueAt(before, parent);
  if (!Array.isArray(around)) return keys;
  const end = String(around.length);
  return keys.at(-1) === "-" || keys.at(-1) === end ? [...parent, end] : parent;
}

/** The place, or the nearest one around it that a renderer can set. */
function settable(place: DataKeys, model: JsonValue | undefined, nullRemoves: boolean): DataKeys {
  const refused = place.findIndex((key) => key === "" || keysRefused.has(key));
  let keys = refused < 0 ? place : place.slice(0, refused);
  while (keys.length > 0) {
    const parent = keys.slice(0, -1);
    const around = valueAt(model, parent);
    const value = valueAt(model, keys);
    const isGone = value === undefined && (around === undefined || Array.isArray(around));
    if (!isGone && !(value === null && nullRemoves)) return keys;
    keys = parent;
  }
  return keys;
}

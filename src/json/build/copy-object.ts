import { setMember, type JsonObject, type JsonValue } from "../value.js";

/**
 * Returns a shallow copy of an object that is being read; `undefined` if it is wide.
 *
 * @param keys the number of its keys, or more
 */
export function copyNarrow(object: JsonObject, keys: number): JsonObject | undefined {
  return spreads[keys]?.(object);
}

/**
 * The same for a wide object with these keys. V8 stores it as a hash table, and takes four times as long to spread it.
 */
export function copyWide(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of keys) setMember(copy, key, object[key] as JsonValue);
  return copy;
}

/**
 * V8 copies an object at once if it knows its hidden class, and key by key otherwise. A place in the code knows up to
 * four hidden classes, but a growing object gets another one with each key. So there is a place for each number of
 * keys. The functions are written out because functions created in one place share what V8 has learnt there.
 */
const spreads: readonly ((object: JsonObject) => JsonObject)[] = [
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
  (it) => ({ ...it }),
];

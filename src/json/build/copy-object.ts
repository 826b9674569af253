import { setMember, type JsonObject, type JsonValue } from "../value.js";

/**
 * Returns a shallow copy of an object that is being read.
 *
 * @param keys the number of its keys, or more
 */
export function copyObject(object: JsonObject, keys: number): JsonObject {
  const spread = spreads[keys];
  if (spread !== undefined) return spread(object);
  // V8 stores larger objects as hash tables. It takes two to four times as long to spread one.
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) setMember(copy, key, object[key] as JsonValue);
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

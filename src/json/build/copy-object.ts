import { setMember } from "./set-member.js";
import type { JsonObject, JsonValue } from "../value.js";

/**
 * A shallow copy of an object that is being read.
 *
 * @param keys how many it has, at most
 */
export function copyObject(object: JsonObject, keys: number): JsonObject {
  const spread = spreads[keys];
  if (spread !== undefined) return spread(object);
  // A hash table: the engine takes two to four times as long to spread it.
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) setMember(copy, key, object[key] as JsonValue);
  return copy;
}

/**
 * The engine copies an object at once where it knows its form, and key by key elsewhere. A place in the code knows four forms,
 * but an object has another after each of its keys: so there is a place for each number of keys. They are written out, as functions
 * that are made at one place share what the engine has learnt there.
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

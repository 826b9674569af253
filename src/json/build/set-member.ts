import type { JsonObject, JsonValue } from "../value.js";

/** As `JSON.parse` does it: `__proto__` is a member like any other, never the prototype. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

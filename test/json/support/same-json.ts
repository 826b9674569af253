import { expect } from "vitest";
import type { JsonObject, JsonValue } from "millrace";

/**
 * Whether two values are equal in every detail that JSON can represent: `-0` is not `0`, members have the same order,
 * `__proto__` is a member, and every object is a plain one.
 */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => sameJson(item, b[i]))
    );
  }
  if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype)
    return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && sameJson(own(a, key), own(b, key)))
  );
}

/**
 * `sameJson()` as an assertion: a hundred times faster than `toStrictEqual()`, which then only prints the difference.
 */
export function expectSame(actual: unknown, expected: unknown, where?: string): void {
  if (sameJson(actual, expected)) return;
  expect(actual, where).toStrictEqual(expected);
  expect(JSON.stringify(actual), `${where ?? ""} (-0, the order of members or a prototype differs)`).toBe(
    JSON.stringify(expected),
  );
  throw new Error(`${where ?? ""}: not the same JSON, though it prints alike: ${JSON.stringify(expected)}`);
}

/** A deep copy, which keeps `-0`, `Infinity` (of `1e999`) and `__proto__`. */
export function copyOf<T>(value: T): T {
  return structuredClone(value);
}

/** A copy with sorted members: with repeated keys, a patch may put a member at another position. */
export function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item) as JsonValue);
  const copy: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const member = sorted(own(value, key)) as JsonValue;
    Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function own(object: object, key: string): JsonValue | undefined {
  return Object.getOwnPropertyDescriptor(object, key)?.value as JsonValue | undefined;
}

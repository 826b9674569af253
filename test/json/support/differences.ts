import type { JsonValue } from "millrace";

/** The outermost places at which two values differ. */
export interface Difference {
  readonly pointer: string;
  /** A new value, a longer string, or any other difference. */
  readonly kind: "added" | "grown" | "changed";
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
}

/** The smallest set of changes from `before` to `after`, if values only appear and grow. */
export function differences(before: JsonValue | undefined, after: JsonValue, pointer = ""): Difference[] {
  if (Object.is(before, after)) return [];
  const whole = (kind: Difference["kind"]): Difference[] => [{ pointer, kind, before, after }];
  if (before === undefined) return whole("added");
  if (typeof before === "string" && typeof after === "string") {
    return whole(after.startsWith(before) ? "grown" : "changed");
  }
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return whole("changed");
  }
  if (!Object.keys(before).every((key) => Object.hasOwn(after, key))) return whole("changed");
  return Object.keys(after).flatMap((key) =>
    differences(memberOf(before, key), memberOf(after, key) as JsonValue, `${pointer}/${escapeKey(key)}`),
  );
}

/** Every place in a value, from the root down, with its value. */
export function* places(value: JsonValue, pointer = ""): Generator<readonly [string, JsonValue]> {
  yield [pointer, value];
  if (!isContainer(value)) return;
  for (const key of Object.keys(value)) {
    yield* places(memberOf(value, key) as JsonValue, `${pointer}/${escapeKey(key)}`);
  }
}

export function isContainer(value: JsonValue | undefined): value is object & JsonValue {
  return typeof value === "object" && value !== null;
}

export function memberOf(container: object, key: string): JsonValue | undefined {
  return Object.getOwnPropertyDescriptor(container, key)?.value as JsonValue | undefined;
}

export function escapeKey(key: string): string {
  return key.replace(/[~/]/g, (character) => (character === "~" ? "~0" : "~1"));
}

/** Whether two values are deeply equal: own properties in any order, the same prototype, and `NaN` equals `NaN`. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(valueAt(a, key), valueAt(b, key)))
  );
}

/** The value as text for an error message, at most 200 characters. */
export function show(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // a cycle or a bigint: String() below
  }
  text ??= String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function valueAt(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}

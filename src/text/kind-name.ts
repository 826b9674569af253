/** Names the kind of a value for an error message. */
export function kindName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") {
    // Not value.constructor, which may be data.
    const prototype = Object.getPrototypeOf(value) as Partial<object> | null;
    return `an object (${prototype?.constructor?.name ?? "no named prototype"})`;
  }
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

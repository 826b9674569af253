/** Equality by RFC 6902 section 4.6, which ignores the order of members. */
export function sameMembers(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const other = Object.getOwnPropertyDescriptor(b, key);
      return other !== undefined && sameMembers(Object.getOwnPropertyDescriptor(a, key)?.value, other.value);
    })
  );
}

/**
 * Whether two values are the same JSON. The order of keys and keys with `undefined` are ignored. Does not recurse,
 * because a patch may be nested deeply.
 */
export function sameData(a: unknown, b: unknown): boolean {
  const pairs = [[a, b]];
  for (const [x, y] of pairs) {
    if (x === y) continue;
    if (typeof x !== "object" || typeof y !== "object" || x === null || y === null) return false;
    if (Array.isArray(x) !== Array.isArray(y)) return false;
    const keys = new Set([...Object.keys(x), ...Object.keys(y), "length"]);
    for (const key of keys) pairs.push([own(x, key), own(y, key)]);
  }
  return true;
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined;
}

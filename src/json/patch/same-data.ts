/** Whether two values are the same JSON. The order of keys and keys with `undefined` are ignored. */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameData(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameData(own(a, key), own(b, key)));
}

type AnyObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is AnyObject {
  return typeof value === "object" && value !== null;
}

function own(object: AnyObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

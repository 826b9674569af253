/** What an object keeps alive: how many objects, and how many characters in strings that are not equal. */
export interface Retained {
  readonly objects: number;
  readonly characters: number;
}

/** Walks all that can be reached from the root, except through `without`. */
export function retained(root: unknown, without?: unknown): Retained {
  const objects = new Set<object>();
  const strings = new Set<string>();
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") strings.add(value);
    if (typeof value !== "object" || value === null || value === without || objects.has(value)) continue;
    objects.add(value);
    for (const key of Reflect.ownKeys(value)) {
      // Names of members are part of a value; a parser's own are not.
      if (typeof key === "string" && Object.getPrototypeOf(value) === Object.prototype) strings.add(key);
      left.push(Object.getOwnPropertyDescriptor(value, key)?.value);
    }
    if (value instanceof Map) left.push(...value.keys(), ...value.values());
    if (value instanceof Set) left.push(...value);
  }
  let characters = 0;
  for (const string of strings) characters += string.length;
  return { objects: objects.size, characters };
}

/** What an object keeps alive. */
export interface Retained {
  readonly objects: number;
  /** How many elements and members they have together. */
  readonly slots: number;
  /** How many characters there are in strings that are not equal. */
  readonly characters: number;
}

/** Walks all that can be reached from the root. */
export function retained(root: unknown): Retained {
  const objects = new Set<object>();
  const strings = new Set<string>();
  const left: unknown[] = [root];
  let slots = 0;
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") strings.add(value);
    if (typeof value !== "object" || value === null || objects.has(value)) continue;
    objects.add(value);
    for (const key of Reflect.ownKeys(value)) {
      slots++;
      // Names of members are part of a value; a parser's own are not.
      if (typeof key === "string" && Object.getPrototypeOf(value) === Object.prototype) strings.add(key);
      left.push(Object.getOwnPropertyDescriptor(value, key)?.value);
    }
    if (value instanceof Map) left.push(...value.keys(), ...value.values());
    if (value instanceof Set) left.push(...value);
  }
  let characters = 0;
  for (const string of strings) characters += string.length;
  return { objects: objects.size, slots, characters };
}

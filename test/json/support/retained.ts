/** The memory that an object retains. */
export interface Retained {
  readonly objects: number;
  /** The number of elements and members. */
  readonly slots: number;
  /** The number of characters in different strings. */
  readonly characters: number;
}

/** Visits everything that is reachable from the root. */
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
      // Names of members belong to a value, unlike the property names of a parser.
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

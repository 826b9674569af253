/** Makes every later write to the value, at any depth, a TypeError. */
export function deepFreeze<T>(value: T): T {
  // A frozen value was frozen here, with all its members.
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  }
  return value;
}

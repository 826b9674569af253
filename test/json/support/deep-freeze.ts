/** Makes every later write to the value, at any depth, a TypeError. */
export function deepFreeze<T>(value: T): T {
  // What is frozen already was frozen by us, and with all that it holds.
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  }
  return value;
}

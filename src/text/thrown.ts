/** Like `thrown instanceof type`, but never throws: a proxy may be revoked. */
export function isInstance<T>(thrown: unknown, type: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}

/** A field of anything that was thrown. `undefined` if reading it fails. */
export function fieldOf(thrown: unknown, key: string | symbol): unknown {
  try {
    return (Object(thrown) as Readonly<Record<string | symbol, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** Whether it has a method of this name. */
export function hasMethod(value: unknown, key: string | symbol): boolean {
  return typeof fieldOf(value, key) === "function";
}

/** A text in a field of anything that was thrown; an empty text if there is none. */
export function textFieldOf(thrown: unknown, key: string): string {
  const value = fieldOf(thrown, key);
  return typeof value === "string" ? value : "";
}

/** Appends a key to a JSON Pointer (RFC 6901): `~` becomes `~0`, `/` becomes `~1`. */
export function childPointer(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}/${key}`;
  if (key.includes("~") || key.includes("/")) key = key.replaceAll("~", "~0").replaceAll("/", "~1");
  return `${parent}/${key}`;
}

/** The pointer to the place with these keys, from the root down. */
export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.reduce<string>(childPointer, "");
}

/** The key in a part of a pointer: `~1` becomes `/`, `~0` becomes `~`. */
export function unescapeKey(part: string): string {
  return part.includes("~") ? part.replaceAll("~1", "/").replaceAll("~0", "~") : part;
}

/** The pointer of the container. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

/** Whether the place is in a container, or in one inside it. */
export function isInside(pointer: string, container: string): boolean {
  return pointer.charAt(container.length) === "/" && pointer.startsWith(container);
}

/** As many are compared in the time of a way up that is short. */
const fewPointers = 8;

/** Whether one of the pointers leads to a container around this place. */
export function isBelow(pointer: string, pointers: ReadonlyMap<string, unknown>): boolean {
  // The way up hashes each pointer on it: a long path with 600 keys would take 150 µs.
  if (pointers.size <= fewPointers) return [...pointers.keys()].some((it) => isInside(pointer, it));
  for (let around = pointer; around !== "";) {
    around = parentPointer(around);
    if (pointers.has(around)) return true;
  }
  return false;
}

/**
 * Splits a JSON Pointer into its keys, from the root down.
 *
 * @throws {TypeError} if the text is not a JSON Pointer (RFC 6901): it must be empty or start with `/`, and `~` may
 *   only appear as `~0` or `~1`.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) {
    throw new TypeError(
      `${JSON.stringify(pointer)} is not a JSON Pointer (RFC 6901), such as "" or "/steps/0".`,
    );
  }
  const keys = pointer.slice(1).split("/");
  return pointer.includes("~") ? keys.map(unescapeKey) : keys;
}

/** RFC 6901, section 4: digits without a leading zero. `length` and `01` are not indexes. */
export function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key);
}

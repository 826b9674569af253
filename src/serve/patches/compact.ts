import { keptPaths, lastPart, longestPlace } from "../../tree/last-part.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isContainer } from "../../json/value.js";
import { childPointer, isIndex, parentPointer, unescapeKey } from "../../tree/pointer.js";

/**
 * Returns a function that writes patches as lines of the compact wire (docs/protocols/compact-wire.md), without the line
 * end. A value that grows at its end needs no pointers: a string extends the string that was written last, an object
 * adds members beside it, an array elements. Everything else is a whole operation.
 *
 * The patches `replace "" {"title":"Te"}`, `append /title "a"` and `add /steps ["Boil"]` are the lines
 * `0,{"op":"replace","path":"","value":{"title":"Te"}}`, `"a"` and `{"steps":["Boil"]}`. `add /steps/1 "Pour"` is
 * `["Pour"]`, and `add /size 2` after it `1,{"size":2}`: one level up.
 */
export function compactLines(
  writeWhole: (operation: AnyPatchOperation) => string,
): (patch: readonly AnyPatchOperation[]) => string {
  /** Where the last operation ended. `undefined` if only a whole operation may follow. */
  let place: string | undefined;
  /** The paths of the latest whole operations, and the number of each. */
  const paths: string[] = [];
  const numbers = new Map<string, number>();
  let count = 0;

  const keep = (path: string): void => {
    const at = count++ % keptPaths;
    const before = paths[at];
    if (before !== undefined && numbers.get(before) === at) numbers.delete(before);
    paths[at] = path;
    numbers.set(path, at);
  };

  const written = (operation: AnyPatchOperation): string => {
    const short =
      operation.op === "append"
        ? extended(operation.path, operation.value)
        : operation.op === "add"
          ? added(operation.path, operation.value)
          : undefined;
    if (short !== undefined) return short;
    const { path, value } = operation as { readonly path: string; readonly value?: unknown };
    keep(path);
    place = isPlain(value) ? lastPart(path, value).place : undefined;
    return `0,${writeWhole(operation)}`;
  };

  const extended = (path: string, value: unknown): string | undefined => {
    if (typeof value !== "string" || path.length > longestPlace) return undefined;
    if (path === place) return JSON.stringify(value);
    const number = numbers.get(path);
    if (number === undefined) return undefined;
    place = path;
    return `${-1 - number},${JSON.stringify(value)}`;
  };

  const added = (path: string, value: unknown): string | undefined => {
    const container = parentPointer(path);
    if (value === undefined || place === undefined || place.length > longestPlace) return undefined;
    if (!place.startsWith(`${container}/`)) return undefined;
    const [last = "", ...below] = place.slice(container.length + 1).split("/");
    const key = unescapeKey(path.slice(container.length + 1));
    if (childPointer(container, key) !== path) return undefined;
    const isNext = (isIndex(last) || last === "-1") && key === String(Number(last) + 1);
    place = isPlain(value) ? lastPart(path, value).place : undefined;
    const up = below.length > 0 ? `${below.length},` : "";
    return up + JSON.stringify(isNext ? [value] : { [key]: value });
  };

  // A patch without operations is still a line, because lines are counted.
  return (patch) => patch.map(written).join(",") || "{}";
}

/** Whether JSON keeps the last part of a value as it is, so that the reader finds the same place. */
function isPlain(value: unknown): boolean {
  while (isContainer(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    const isKnown = Array.isArray(value) || prototype === Object.prototype || prototype === null;
    if (!isKnown || "toJSON" in value) return false;
    const key = Object.keys(value).at(-1);
    if (key === undefined) return true;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return (
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
  );
}

import type { JsonPatch, JsonPatchOperation } from "./patch.js";
import { parsePointer, valueAt } from "./pointer.js";
import type { JsonValue } from "./value.js";

/** Operations of RFC 6902 alone. */
export type StandardPatchOperation = Exclude<JsonPatchOperation, { op: "append" }>;

/**
 * Turns the `append` operations of a patch into `replace`, for those who read RFC 6902 only.
 *
 * @param patch the patch, with `append` operations in it
 * @param document the value to which the patch is about to be applied; it is read, not changed
 * @returns the same operations in the same order, each `append` as the `replace` by the whole string
 * @throws {TypeError} if an `append` names something that is no string in the document
 *
 * @example
 * ```ts
 * import { expandAppends } from "millrace";
 *
 * console.log(expandAppends([{ op: "append", path: "/name", value: "lovelace" }], { name: "Ada " }));
 * ```
 */
export function expandAppends(patch: JsonPatch, document: JsonValue | undefined): StandardPatchOperation[] {
  /** What the operations before have made of the places that they name. */
  const strings = new Map<string, JsonValue>();
  return patch.map((operation) => {
    const { op, path, value } = operation;
    if (op !== "append") {
      strings.set(path, value);
      return operation;
    }
    const before = strings.get(path) ?? valueAt(document, parsePointer(path));
    if (typeof before !== "string") {
      const found = before === undefined ? "nothing" : JSON.stringify(before).slice(0, 40);
      throw new TypeError(`An append needs a string at ${JSON.stringify(path)}, but found ${found}.`);
    }
    const whole = before + value;
    strings.set(path, whole);
    return { op: "replace", path, value: whole };
  });
}

import type { JsonPatch, JsonPatchOperation } from "./patch.js";
import { parsePointer } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../value.js";

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
  /** What the operations before have put where; the later ones stand last. */
  const written = new Map<string, JsonValue>();
  return patch.map((operation) => {
    const { op, path } = operation;
    let { value } = operation;
    if (op === "append") value = textAt(path, written, document) + operation.value;
    written.delete(path);
    written.set(path, value);
    return op === "append" ? { op: "replace", path, value } : operation;
  });
}

/** The string that an append continues: what an operation before it wrote there or around it, else the document's. */
function textAt(
  path: string,
  written: ReadonlyMap<string, JsonValue>,
  document: JsonValue | undefined,
): string {
  let text = valueAt(document, parsePointer(path));
  for (const [place, value] of written) {
    if (path === place || path.startsWith(`${place}/`))
      text = valueAt(value, parsePointer(path.slice(place.length)));
  }
  if (typeof text === "string") return text;
  const found = text === undefined ? "nothing" : JSON.stringify(text).slice(0, 40);
  throw new TypeError(`An append needs a string at ${JSON.stringify(path)}, but found ${found}.`);
}

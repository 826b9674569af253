import { GrowingValue } from "./growing-value.js";
import { checkPatchArray } from "./patch-error.js";
import type {
  AnyPatchOperation,
  JsonPatch,
  JsonPatchOperation,
  RfcPatchOperation,
  StandardPatchOperation,
} from "./patch.js";
import { kindName } from "../../text/kind-name.js";
import { quoted } from "../../text/cut.js";
import { isBelow, isIndex, parsePointer } from "../../tree/pointer.js";
import { type JsonValue, valueAt } from "../value.js";

/**
 * Converts the `append` operations of a patch to `replace`, for consumers that support only RFC 6902.
 *
 * @param patch the patch, with `append` operations in it
 * @param document the value before the patch. It is not mutated
 * @returns the same operations in the same order, with each `append` as a `replace` with the whole string
 * @throws {JsonPatchError} `malformed` if the patch is no array
 * @throws {TypeError} if the target of an `append` is not a string in the document
 *
 * @example
 * ```ts
 * import { expandAppends } from "millrace/json";
 *
 * console.log(expandAppends([{ op: "append", path: "/name", value: "lovelace" }], { name: "Ada " }));
 * ```
 */
export function expandAppends(patch: JsonPatch, document: JsonValue | undefined): StandardPatchOperation[];
export function expandAppends(
  patch: readonly AnyPatchOperation[],
  document: JsonValue | undefined,
): RfcPatchOperation[];
export function expandAppends(
  patch: readonly AnyPatchOperation[],
  document: JsonValue | undefined,
): RfcPatchOperation[] {
  checkPatchArray(patch);
  /** The values set by earlier operations, with their places. The latest is last. */
  const written = new Map<string, JsonValue>();
  const expanded: RfcPatchOperation[] = [];
  for (const operation of patch) {
    if (!staysInPlace(operation, document, written)) return expandInTurn(patch, document);
    const { op, path } = operation;
    let { value } = operation;
    if (op === "append") value = textAt(path, written, document) + operation.value;
    written.delete(path);
    written.set(path, value);
    expanded.push(op === "append" ? { op: "replace", path, value } : operation);
  }
  return expanded;
}

/** Whether the operation leaves all other values where they are, as those of parsers do. */
function staysInPlace(
  operation: AnyPatchOperation,
  document: JsonValue | undefined,
  written: ReadonlyMap<string, JsonValue>,
): operation is JsonPatchOperation {
  const { op, path } = operation;
  if (op === "replace" || op === "append") return true;
  if (op !== "add") return false;
  const keys = parsePointer(path);
  const key = keys.pop();
  if (key === undefined || (key !== "-" && !isIndex(key))) return true;
  if (key === "-" || written.has(path) || isBelow(path, written)) return false;
  const parent = valueAt(document, keys);
  return parent !== undefined && !(Array.isArray(parent) && Number(key) < parent.length);
}

/** Expands and applies each operation in turn, as those after it may refer to what it has moved. */
function expandInTurn(
  patch: readonly AnyPatchOperation[],
  document: JsonValue | undefined,
): RfcPatchOperation[] {
  const value = new GrowingValue(document);
  return patch.map((operation) => {
    const { op, path } = operation;
    const expanded: RfcPatchOperation =
      op === "append"
        ? { op: "replace", path, value: textAt(path, new Map(), value.value) + operation.value }
        : operation;
    value.apply([expanded]);
    return expanded;
  });
}

/** Finds the string that an append continues: in the value of an earlier operation, or in the document. */
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
  const found = text === undefined ? "nothing" : kindName(text);
  throw new TypeError(`An append needs a string at ${quoted(path)}, but found ${found}.`);
}

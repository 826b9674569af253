import { parsePointer } from "../../tree/pointer.js";
import { defaultMaxLength } from "../options.js";
import { measureValue, type ValueSize } from "./measure-value.js";
import { checkPatchArray, JsonPatchError } from "./patch-error.js";
import type { AnyPatchOperation } from "./patch.js";

/** More levels than this exceed the stack of clients, which check and copy values by recursion. */
const maxDepth = 2_000;
/** A value may have this many characters as JSON: twice as much as parsers read by default. */
const maxLength = 2 * defaultMaxLength;

/**
 * Checks a patch before it is converted for the clients of a protocol. Whether it fits the value is checked when it is
 * applied.
 *
 * @throws {JsonPatchError} `malformed` for what is no patch, `refused` for a path and value of more than 2,000 levels,
 *   as one that contains itself, and for a value whose JSON is too long
 */
export function checkPatch(patch: readonly AnyPatchOperation[]): void {
  checkPatchArray(patch);
  patch.forEach(checkOperation);
}

export function checkOperation(operation: AnyPatchOperation, index: number): void {
  const { depth, length } = sizeOf(operation, index);
  if (depth > maxDepth) throw refused(`its value would be more than ${maxDepth} levels deep.`, index);
  if (length > maxLength)
    throw refused(`its value would be longer as JSON than ${maxLength} characters.`, index);
}

function refused(problem: string, index: number): JsonPatchError {
  return new JsonPatchError("refused", problem, index);
}

/** The size of its value, with the depth of its place. */
function sizeOf(operation: AnyPatchOperation, index: number): ValueSize {
  const {
    path,
    from = "",
    value = null,
  } = Object(operation) as Partial<AnyPatchOperation & { from: string; value: never }>;
  try {
    const depth = Math.max(parsePointer(path as string).length, parsePointer(from).length);
    const size = measureValue(value, maxLength, maxDepth);
    return { ...size, depth: depth + size.depth };
  } catch {
    throw new JsonPatchError("malformed", "its path is not a JSON Pointer.", index);
  }
}

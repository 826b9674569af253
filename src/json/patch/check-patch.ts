import { parsePointer } from "../../tree/pointer.js";
import { measureValue } from "./measure-value.js";
import { JsonPatchError } from "./patch-error.js";
import type { AnyPatchOperation } from "./patch.js";

/** More levels than this exceed the stack of clients, which check and copy values by recursion. */
const maxDepth = 2_000;

/**
 * Checks a patch before it is converted for the clients of a protocol. Whether it fits the value is checked when it is
 * applied.
 *
 * @throws {JsonPatchError} `malformed` for what is no patch, `refused` for a path and value of more than 2,000 levels
 */
export function checkPatch(patch: readonly AnyPatchOperation[]): void {
  if (!Array.isArray(patch)) throw new JsonPatchError("malformed", "A patch is an array of operations.", -1);
  for (const [index, operation] of (patch as readonly AnyPatchOperation[]).entries()) {
    const depth = depthOf(operation, index);
    if (depth <= maxDepth) continue;
    throw new JsonPatchError(
      "refused",
      `its value would be ${depth} levels deep, more than ${maxDepth}.`,
      index,
    );
  }
}

function depthOf(operation: AnyPatchOperation, index: number): number {
  const {
    path,
    from = "",
    value = null,
  } = Object(operation) as Partial<AnyPatchOperation & { from: string; value: never }>;
  try {
    const depth = Math.max(parsePointer(path as string).length, parsePointer(from).length);
    return depth + measureValue(value).depth;
  } catch {
    throw new JsonPatchError("malformed", "its path is not a JSON Pointer.", index);
  }
}

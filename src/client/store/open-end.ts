import { lastPart } from "../../tree/last-part.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { parentPointer } from "../../tree/pointer.js";

/**
 * The open end of a value that grows at its end, as known from its last operation. The pointer and its ancestors are
 * open; with `within`, its descendants are too.
 */
export interface OpenEnd {
  readonly pointer: string;
  readonly within: boolean;
}

/** Returns the open end after an operation, or `undefined` if the operation does not determine it. */
export function openEndAfter(operation: AnyPatchOperation): OpenEnd | undefined {
  if (!("value" in operation) || operation.op === "test") return undefined;
  const { path: pointer } = operation;
  if (pointer.endsWith("/-")) return { pointer: pointer.slice(0, -2), within: true };
  const { place, isText, unordered } = lastPart(pointer, operation.value);
  // Texts and empty containers may still grow. Numbers and literals appear only when complete.
  return { pointer: unordered ?? (isText ? place : parentPointer(place)), within: unordered !== undefined };
}

/** Whether the value at the pointer can no longer change. */
export function isClosed(pointer: string, { pointer: end, within }: OpenEnd): boolean {
  return !(`${end}/`.startsWith(`${pointer}/`) || (within && `${pointer}/`.startsWith(`${end}/`)));
}

import { isContainer } from "../../json/value.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { childPointer, isIndex, parentPointer } from "../../tree/pointer.js";

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
  let pointer: string = operation.path;
  if (pointer.endsWith("/-")) return { pointer: pointer.slice(0, -2), within: true };
  let value: unknown = operation.value;
  while (isContainer(value)) {
    const keys = Object.keys(value);
    const last = keys.at(-1);
    if (last === undefined) break;
    // JavaScript lists integer-like keys first, not in the order of insertion.
    if (!Array.isArray(value) && keys.some(isIndex)) return { pointer, within: true };
    pointer = childPointer(pointer, last);
    value = (value as Readonly<Record<string, unknown>>)[last];
  }
  // Strings and empty containers may still grow. Numbers and literals appear only when complete.
  const isOpen = typeof value === "string" || isContainer(value);
  return { pointer: isOpen ? pointer : parentPointer(pointer), within: false };
}

/** Whether the value at the pointer can no longer change. */
export function isClosed(pointer: string, { pointer: end, within }: OpenEnd): boolean {
  return !(`${end}/`.startsWith(`${pointer}/`) || (within && `${pointer}/`.startsWith(`${end}/`)));
}

import type { AnyPatchOperation } from "../json/patch/apply-patch.js";
import { childPointer, isIndex } from "../tree/pointer.js";

/**
 * Where a value that grows at its end is still open, as far as its last operation tells: the place itself and all
 * around it, and with `within` also all in it.
 */
export interface OpenEnd {
  readonly pointer: string;
  readonly within: boolean;
}

/** The open end after an operation; `undefined` if the operation tells nothing. */
export function openEndAfter(operation: AnyPatchOperation): OpenEnd | undefined {
  if (!("value" in operation) || operation.op === "test") return undefined;
  let pointer: string = operation.path;
  if (pointer.endsWith("/-")) return { pointer: pointer.slice(0, -2), within: true };
  let value: unknown = operation.value;
  while (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    const last = keys.at(-1);
    if (last === undefined) break;
    // Members that look like indices do not stand in the order in which they came.
    if (!Array.isArray(value) && keys.some(isIndex)) return { pointer, within: true };
    pointer = childPointer(pointer, last);
    value = (value as Readonly<Record<string, unknown>>)[last];
  }
  // A string may go on, and so may an empty container. Numbers and literals appear when they are complete.
  const isOpen = typeof value === "string" || (typeof value === "object" && value !== null);
  return isOpen
    ? { pointer, within: false }
    : { pointer: pointer.slice(0, pointer.lastIndexOf("/")), within: false };
}

/** Whether what is at the pointer can no longer change. */
export function isClosed(pointer: string, { pointer: end, within }: OpenEnd): boolean {
  return !(`${end}/`.startsWith(`${pointer}/`) || (within && `${pointer}/`.startsWith(`${end}/`)));
}

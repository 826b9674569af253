import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { childPointer } from "../../tree/pointer.js";
import { InputError } from "../terminal/input-error.js";
import type { OutputMode } from "./output-mode.js";

/**
 * Creates the stage that writes each value as a line of NDJSON.
 *
 * @throws {InputError} `too_large`, in the stream, at a number that is infinite as a double, such as 1e999
 */
export function outputLines(mode: OutputMode): Operator<unknown, string> {
  return stage((emit) => {
    let index = 0;
    return {
      next: (value) => {
        const text = JSON.stringify(value);
        // Infinity becomes null, so only a line with null is searched.
        const place = text.includes("null") ? infinitePlace(value, mode, index) : undefined;
        if (place !== undefined) throw new InputError("too_large", tooLarge(place));
        index++;
        emit(`${text}\n`);
      },
    };
  });
}

/** The pointer in the document of an infinite number in a line. */
function infinitePlace(value: unknown, mode: OutputMode, index: number): string | undefined {
  if (mode.kind === "items") {
    const place = infiniteIn(value);
    return place === undefined ? undefined : childPointer(mode.pointer, index) + place;
  }
  if (mode.kind !== "patches") return infiniteIn(value);
  for (const operation of value as readonly { readonly path: string; readonly value?: unknown }[]) {
    const place = infiniteIn(operation.value);
    if (place !== undefined) return operation.path + place;
  }
  return undefined;
}

/** Says that the number at this pointer cannot be written: JSON has no Infinity, which would become null. */
export function tooLarge(pointer: string): string {
  return `The number at ${pointer === "" ? "the root" : pointer} is too large to write as JSON.`;
}

/** The pointer of an infinite number in a value. It is written only once the number is found. */
export function infiniteIn(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const place = infiniteIn(child);
    if (place !== undefined) return childPointer("", key) + place;
  }
  return undefined;
}

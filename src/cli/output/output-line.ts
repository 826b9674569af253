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
        const place = text.includes("null") ? infiniteIn(value, mode, index) : undefined;
        if (place !== undefined) {
          const where = place === "" ? "the root" : place;
          throw new InputError("too_large", `The number at ${where} is too large to write as JSON.`);
        }
        index++;
        emit(`${text}\n`);
      },
    };
  });
}

/** The pointer in the document of an infinite number in a line. */
function infiniteIn(value: unknown, mode: OutputMode, index: number): string | undefined {
  if (mode.kind === "items") return infiniteAt(value, childPointer(mode.pointer, String(index)));
  if (mode.kind !== "patches") return infiniteAt(value, "");
  for (const operation of value as readonly { readonly path: string; readonly value?: unknown }[]) {
    const place = infiniteAt(operation.value, operation.path);
    if (place !== undefined) return place;
  }
  return undefined;
}

function infiniteAt(value: unknown, pointer: string): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return pointer;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const place = infiniteAt(child, childPointer(pointer, key));
    if (place !== undefined) return place;
  }
  return undefined;
}

import { MillraceError } from "../../errors.js";
import type { PatchEntry } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";

/*
 * A run whose value is bytes: `{ …, body }`. Each character of `body` is a byte, so chunks may be cut inside a
 * character of UTF-8, and only new bytes are appended.
 */

/** The first patch of such a run. */
export function startOfBytes(head: JsonObject = {}): readonly AnyPatchOperation[] {
  return [{ op: "replace", path: "", value: { ...head, body: "" } }];
}

/** The patch that adds bytes. */
export function bytesPatch(bytes: Uint8Array): readonly AnyPatchOperation[] {
  const texts: string[] = [];
  // More arguments could exceed the stack.
  for (let at = 0; at < bytes.length; at += 8_192)
    texts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return [{ op: "append", path: "/body", value: texts.join("") }];
}

/**
 * The bytes of a run that a log yields, except the first ones. A stopped run ends, and a failed one throws.
 *
 * @throws {MillraceError} with the code of the run's error
 */
export function readLoggedBytes(skip = 0): Operator<PatchEntry, Uint8Array> {
  return stage((emit, stop) => {
    /** How many bytes the reader has or does not want, and how many have passed. */
    let known = skip;
    let passed = 0;
    let over = false;
    const pass = (text: string): void => {
      const start = Math.max(0, known - passed);
      passed += text.length;
      if (start >= text.length) return;
      known = passed;
      const bytes = new Uint8Array(text.length - start);
      for (let i = start; i < text.length; i++) bytes[i - start] = text.charCodeAt(i);
      emit(bytes);
    };
    return {
      next: (entry) => {
        if (over) return;
        if (entry.type === "error") throw new MillraceError(entry.code, entry.message);
        if (entry.type === "done") {
          over = true;
          stop();
          return;
        }
        for (const operation of entry.patch) {
          if (operation.op === "append") pass(operation.value);
          else if (operation.op === "replace") {
            passed = 0; // a reader that is behind gets the whole value again
            pass(bodyOf(operation.value));
          }
        }
      },
    };
  });
}

/** @throws {TypeError} for the value of any other run */
export function bodyOf(value: JsonValue | undefined): string {
  const body = isObject(value) ? value["body"] : undefined;
  if (typeof body === "string") return body;
  throw new TypeError(
    "The run in the log has no body: keepResponse() and assistantUiStore() write such runs.",
  );
}

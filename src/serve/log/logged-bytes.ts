import { MillraceError } from "../../errors.js";
import type { PatchEntry } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { done } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import { pieceSize } from "../http/text-body.js";
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
  return (entries) => ({
    [Symbol.asyncIterator]: () => {
      const texts = readLoggedText(skip)(entries)[Symbol.asyncIterator]();
      return {
        // Not map(), which would also copy the pieces that nobody has asked for.
        next: async () => {
          const result = await texts.next();
          return result.done === true ? result : { done: false, value: bytesIn(result.value) };
        },
        return: async () => {
          await texts.return?.();
          return done();
        },
      };
    },
  });
}

/** The same as pieces of the text in the log, which are no copies, so a reader that does not read holds none. */
function readLoggedText(skip: number): Operator<PatchEntry, string> {
  return stage((emit, stop) => {
    /** How many bytes the reader has or does not want, and how many have passed. */
    let known = skip;
    let passed = 0;
    let over = false;
    const pass = (text: string): void => {
      for (let at = Math.max(0, known - passed); at < text.length; at += pieceSize)
        emit(text.slice(at, at + pieceSize));
      passed += text.length;
      known = Math.max(known, passed);
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

function bytesIn(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** @throws {TypeError} for the value of any other run */
export function bodyOf(value: JsonValue | undefined): string {
  const body = isObject(value) ? value["body"] : undefined;
  if (typeof body === "string") return body;
  throw new TypeError(
    "The run in the log has no body: keepResponse() and assistantUiStore() write such runs.",
  );
}

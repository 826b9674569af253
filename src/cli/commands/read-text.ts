import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { InputError } from "../terminal/input-error.js";

/**
 * Decodes UTF-8 chunk by chunk. A character split between two chunks is emitted with the second chunk. A byte order
 * mark is dropped. Invalid bytes in a file are an error, unlike in a model's answer, where they are replaced: the owner
 * of a file can fix it.
 *
 * @throws {InputError} `not_utf8`, in the stream, at the first chunk with an invalid byte
 */
export function readText(): Operator<Uint8Array | string, string> {
  return stage((emit) => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let bytes = 0;
    const decode = (chunk: Uint8Array | undefined, problem: () => string): string => {
      try {
        return decoder.decode(chunk, { stream: chunk !== undefined });
      } catch (cause) {
        throw new InputError("not_utf8", `The input is not UTF-8: ${problem()}.`, { cause });
      }
    };
    const emitText = (text: string): void => {
      if (text !== "") emit(text);
    };
    return {
      next: (chunk) => {
        if (typeof chunk === "string") {
          emitText(chunk);
          return;
        }
        const before = bytes;
        bytes += chunk.length;
        emitText(decode(chunk, () => `found an invalid byte in bytes ${before + 1} to ${bytes}`));
      },
      end: () => {
        emitText(decode(undefined, () => `it ends inside a character, after byte ${bytes}`));
      },
    };
  });
}

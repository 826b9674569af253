import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { InputError } from "../terminal/input-error.js";

/**
 * Bytes as text, chunk by chunk: a character cut in two arrives with its second half. A byte order mark is dropped.
 * Unlike the bytes of a model's answer, those of a file are not mended: its owner wants to know.
 *
 * @throws {InputError} `not_utf8`, in the stream, at the first chunk with a byte that is not
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
    const give = (text: string): void => {
      if (text !== "") emit(text);
    };
    return {
      next: (chunk) => {
        if (typeof chunk === "string") {
          give(chunk);
          return;
        }
        const before = bytes;
        bytes += chunk.length;
        give(decode(chunk, () => `there is a wrong byte among the bytes ${before + 1} to ${bytes}`));
      },
      end: () => {
        give(decode(undefined, () => `it ends inside a character, after byte ${bytes}`));
      },
    };
  });
}

import { InputError } from "./input-error.js";
import type { InputStream } from "./io.js";

/**
 * Bytes as text, chunk by chunk: a character cut in two arrives with its second half. A byte order mark is dropped.
 *
 * @throws {InputError} `not_utf8` at the first byte that is not; nothing is replaced by question marks
 */
export async function* readText(input: InputStream): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      const place =
        chunk === undefined
          ? `it ends inside a character, after byte ${bytes}`
          : `there is a wrong byte among the bytes ${bytes + 1} to ${bytes + chunk.length}`;
      throw new InputError("not_utf8", `The input is not UTF-8: ${place}.`, { cause });
    }
  };
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decode(chunk);
    if (typeof chunk !== "string") bytes += chunk.length;
    if (text !== "") yield text;
  }
  const rest = decode();
  if (rest !== "") yield rest;
}

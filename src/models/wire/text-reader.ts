import { wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { unexpectedError } from "./errors.js";

/** The options of `decodeSse` and `decodeNdjson`. */
export interface DecodeOptions {
  /** Maximum length of an event or line, in characters. Default: 16,777,216 */
  readonly maxBuffer?: number | undefined;
}

/** Large enough for a base64 image in one event. */
export const defaultMaxBuffer: number = 16 * 1024 * 1024;

export function checkDecodeOptions(subject: string, options: DecodeOptions): void {
  checkOptions(subject, options, { maxBuffer: true } satisfies OptionNames<DecodeOptions>);
  wholeNumber(`maxBuffer of ${subject}`, options.maxBuffer ?? defaultMaxBuffer, 1);
}

/**
 * Decodes pieces of a text, as bytes (UTF-8, split anywhere) or strings, and removes the byte order mark. Malformed
 * bytes become U+FFFD, as in all web decoders.
 *
 * This class holds back incomplete characters itself, because Node decodes two to five times as fast without the
 * `stream` option (docs/internals/performance.md).
 */
export class TextReader {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The first bytes of a character that is not complete yet. */
  private held: Uint8Array | undefined;
  private started = false;

  read(chunk: Uint8Array | string): string {
    return this.withoutMark(typeof chunk === "string" ? chunk : this.decode(chunk));
  }

  end(): string {
    const { held } = this;
    this.held = undefined;
    return held === undefined ? "" : this.withoutMark(this.decoder.decode(held));
  }

  private decode(chunk: Uint8Array): string {
    if (typeof (chunk as Partial<Uint8Array> | null)?.byteLength !== "number")
      throw unexpectedError("bytes or text", chunk);
    const bytes = this.held === undefined ? chunk : joined(this.held, chunk);
    const whole = completeLength(bytes);
    if (whole === bytes.length) {
      this.held = undefined;
      return this.decoder.decode(bytes);
    }
    this.held = Uint8Array.from(bytes.subarray(whole)); // slice() of a Buffer would not copy
    return this.decoder.decode(bytes.subarray(0, whole));
  }

  private withoutMark(text: string): string {
    if (this.started || text === "") return text;
    this.started = true;
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  }
}

const byteOrderMark = 0xfeff;

/** The number of bytes up to the last complete character. Waiting does no harm if the rest is malformed. */
function completeLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let at = length - 1; at >= 0 && at >= length - 3; at--) {
    const byte = bytes[at] as number;
    if (byte < 0b1000_0000) return length;
    if (byte >= 0b1100_0000) {
      const needed = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : 2;
      return length - at < needed ? at : length;
    }
  }
  return length;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

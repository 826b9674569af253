import { Buffer } from "node:buffer";

/** A line of a file, without its end. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** `undefined` if the line is longer than the maximum. */
  readonly bytes: Buffer | undefined;
  /** The offset of the next line in the file. */
  readonly end: number;
  /** Whether a line feed ends it. */
  readonly complete: boolean;
}

/** The lines of a file. A line that is too long is skipped without being kept. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  maxLength: number,
): AsyncGenerator<FileLine, void, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  let offset = 0;
  let number = 0;
  const line = (complete: boolean): FileLine => {
    const bytes = length > maxLength ? undefined : Buffer.concat(held);
    offset += length + (complete ? 1 : 0);
    held = [];
    length = 0;
    return { number: ++number, bytes, end: offset, complete };
  };
  const hold = (part: Buffer): void => {
    length += part.length;
    if (length > maxLength) held = [];
    else if (part.length > 0) held.push(part);
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      hold(bytes.subarray(start, end));
      yield line(true);
      start = end + 1;
    }
    hold(bytes.subarray(start));
  }
  if (length > 0) yield line(false);
}

const lineFeed = 0x0a;

import { type Loose, asNumber, nonEmptyText } from "../../loose.js";

export interface Written {
  readonly index: number;
  readonly text: string;
}

/** A range of a text block, in UTF-16 code units. */
export interface TextRange {
  readonly index: number;
  readonly startIndex: number;
  readonly endIndex: number;
}

/**
 * Returns the function that finds the range of a segment `{startIndex, endIndex, text}` in the text blocks of an answer.
 * Its offsets are UTF-8 bytes. According to the documentation they start at "the part"; in a stream they start at the
 * whole answer. The text of the segment decides; without text, the whole answer is assumed.
 */
export function segmentRanges(texts: readonly Written[]): (segment: Loose) => TextRange | undefined {
  let from = 0;
  const blocks = texts.map(({ index, text }): MappedText => {
    const indexes = indexesByByte(text);
    const mapped = { index, text, from, indexes };
    from += indexes.length - 1;
    return mapped;
  });
  /** Characters that may still be compared with segments whose offsets do not match. */
  let budget = 2_000_000;

  const search = (
    rangeOf: (block: MappedText) => TextRange | undefined,
    costOf: (block: MappedText) => number,
  ): TextRange | undefined => {
    for (const block of blocks) {
      if ((budget -= costOf(block)) < 0) return undefined;
      const range = rangeOf(block);
      if (range !== undefined) return range;
    }
    return undefined;
  };
  return (segment) => {
    const quoted = nonEmptyText(segment["text"]);
    const start = asNumber(segment["startIndex"]) ?? 0;
    const end = asNumber(segment["endIndex"]) ?? -1;
    const block = blockAt(blocks, start);
    const place = block && rangeIn(block, start - block.from, end - block.from, quoted);
    if (place !== undefined || quoted === undefined) return place;
    return (
      search(
        (it) => rangeIn(it, start, end, quoted),
        () => quoted.length,
      ) ??
      // The offsets do not match the text, so search for the text.
      search(
        ({ index, text }) => {
          const at = text.indexOf(quoted);
          return at < 0 ? undefined : { index, startIndex: at, endIndex: at + quoted.length };
        },
        ({ text }) => text.length + quoted.length,
      )
    );
  };
}

/** The last block that starts at or before a byte of the answer. */
function blockAt(blocks: readonly MappedText[], byte: number): MappedText | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle] as MappedText).from <= byte) low = middle + 1;
    else high = middle;
  }
  return blocks[low - 1];
}

interface MappedText extends Written {
  /** Number of UTF-8 bytes before the block. */
  readonly from: number;
  readonly indexes: IndexesByByte;
}

function rangeIn(
  { index, text, indexes }: MappedText,
  start: number,
  end: number,
  quotedText: string | undefined,
): TextRange | undefined {
  const startIndex = indexes[start];
  const endIndex = indexes[end];
  if (startIndex === undefined || endIndex === undefined || startIndex > endIndex) return undefined;
  if (quotedText !== undefined && text.slice(startIndex, endIndex) !== quotedText) return undefined;
  return { index, startIndex, endIndex };
}

/** The UTF-16 index of each UTF-8 byte offset. Offsets inside a character and after the end have none. */
type IndexesByByte = readonly (number | undefined)[];

export function indexesByByte(text: string): IndexesByByte {
  const indexes: number[] = [];
  let byte = 0;
  let index = 0;
  for (const character of text) {
    indexes[byte] = index;
    const code = character.codePointAt(0) as number;
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  indexes[byte] = index;
  return indexes;
}

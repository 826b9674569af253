import { type Loose, asNumber, nonEmptyText } from "../../loose.js";

/** A text block so far. */
export interface Written {
  readonly index: number;
  readonly text: string;
}

/** A range of a text block, in UTF-16 code units. */
export interface TextRange {
  /** The index of the block. */
  readonly index: number;
  readonly startIndex: number;
  readonly endIndex: number;
}

/** Finds the ranges of segments in the text blocks of an answer. */
export class SegmentRanges {
  private readonly texts: readonly MappedText[];
  /** Characters that may still be compared with segments whose offsets do not match. */
  private budget = 2_000_000;

  constructor(texts: readonly Written[]) {
    let from = 0;
    this.texts = texts.map(({ index, text }) => {
      const indexes = indexesByByte(text);
      const mapped = { index, text, from, indexes };
      from += indexes.length - 1;
      return mapped;
    });
  }

  /**
   * Finds the range of a segment `{startIndex, endIndex, text}`. Its offsets are UTF-8 bytes. According to the
   * documentation they start at "the part"; in a stream they start at the whole answer. The text of the segment
   * decides; without text, the whole answer is assumed.
   */
  find(segment: Loose): TextRange | undefined {
    const quotedText = nonEmptyText(segment["text"]);
    const start = asNumber(segment["startIndex"]) ?? 0;
    const end = asNumber(segment["endIndex"]) ?? -1;
    const place = this.inWhole(start, end, quotedText);
    if (place !== undefined || quotedText === undefined) return place;
    return this.inBlock(start, end, quotedText) ?? this.search(quotedText);
  }

  private inWhole(start: number, end: number, quotedText: string | undefined): TextRange | undefined {
    const block = this.blockAt(start);
    return block && rangeIn(block, start - block.from, end - block.from, quotedText);
  }

  /** The last block that starts at or before a byte of the answer. */
  private blockAt(byte: number): MappedText | undefined {
    let low = 0;
    let high = this.texts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.texts[middle] as MappedText).from <= byte) low = middle + 1;
      else high = middle;
    }
    return this.texts[low - 1];
  }

  private inBlock(start: number, end: number, quotedText: string): TextRange | undefined {
    for (const block of this.texts) {
      if (!this.affords(quotedText.length)) return undefined;
      const range = rangeIn(block, start, end, quotedText);
      if (range !== undefined) return range;
    }
    return undefined;
  }

  /** The offsets do not match the text, so search for the text. */
  private search(quotedText: string): TextRange | undefined {
    for (const { index, text } of this.texts) {
      if (!this.affords(text.length + quotedText.length)) return undefined;
      const startIndex = text.indexOf(quotedText);
      if (startIndex >= 0) return { index, startIndex, endIndex: startIndex + quotedText.length };
    }
    return undefined;
  }

  private affords(characters: number): boolean {
    this.budget -= characters;
    return this.budget >= 0;
  }
}

/** A text block, and where it is in the whole answer. */
interface MappedText extends Written {
  /** Number of UTF-8 bytes before the block. */
  readonly from: number;
  readonly indexes: IndexesByByte;
}

/** The range between two byte offsets in a block, if it has the quoted text. */
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

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
export class Places {
  private readonly texts: readonly MappedText[];
  private readonly whole: IndexesByByte;

  constructor(texts: readonly Written[]) {
    let before = 0;
    this.texts = texts.map(({ index, text }) => {
      const from = before;
      before += text.length;
      return { index, text, from, to: before, indexes: indexesByByte(text) };
    });
    this.whole = indexesByByte(texts.map(({ text }) => text).join(""));
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
    if (quotedText === undefined) return this.inWhole(start, end);
    return (
      this.inWhole(start, end, quotedText) ?? this.inBlock(start, end, quotedText) ?? this.search(quotedText)
    );
  }

  private inWhole(start: number, end: number, quotedText?: string): TextRange | undefined {
    const from = this.whole[start];
    const to = this.whole[end];
    if (from === undefined || to === undefined) return undefined;
    const block = this.texts.find((text) => from >= text.from && to <= text.to);
    if (block === undefined) return undefined;
    const startIndex = from - block.from;
    const endIndex = to - block.from;
    if (quotedText !== undefined && block.text.slice(startIndex, endIndex) !== quotedText) return undefined;
    return { index: block.index, startIndex, endIndex };
  }

  private inBlock(start: number, end: number, quotedText: string): TextRange | undefined {
    for (const { index, text, indexes } of this.texts) {
      const startIndex = indexes[start];
      const endIndex = indexes[end];
      if (
        startIndex !== undefined &&
        endIndex !== undefined &&
        text.slice(startIndex, endIndex) === quotedText
      ) {
        return { index, startIndex, endIndex };
      }
    }
    return undefined;
  }

  /** The offsets do not match the text, so search for the text. */
  private search(quotedText: string): TextRange | undefined {
    for (const { index, text } of this.texts) {
      const startIndex = text.indexOf(quotedText);
      if (startIndex >= 0) return { index, startIndex, endIndex: startIndex + quotedText.length };
    }
    return undefined;
  }
}

/** A text block, and where it is in the whole answer. */
interface MappedText extends Written {
  readonly from: number;
  readonly to: number;
  readonly indexes: IndexesByByte;
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

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

/**
 * Finds the range of a segment `{startIndex, endIndex, text}`. Its offsets are UTF-8 bytes. According to the
 * documentation they start at "the part"; in a stream they start at the whole answer. The text of the segment decides;
 * without text, the whole answer is assumed.
 */
export function placeOf(segment: Loose, texts: readonly Written[]): TextRange | undefined {
  const quotedText = nonEmptyText(segment["text"]);
  const start = asNumber(segment["startIndex"]) ?? 0;
  const end = asNumber(segment["endIndex"]);
  const places: TextRange[] = [];
  if (end !== undefined) {
    let before = 0;
    const whole = texts.map(({ text }) => text).join("");
    const from = indexAtByte(whole, start);
    const to = indexAtByte(whole, end);
    for (const { index, text } of texts) {
      if (from !== undefined && to !== undefined && from >= before && to <= before + text.length) {
        places.push({ index, startIndex: from - before, endIndex: to - before });
      }
      before += text.length;
    }
    if (quotedText === undefined) return places[0];
    for (const { index, text } of texts) {
      const startIndex = indexAtByte(text, start);
      const endIndex = indexAtByte(text, end);
      if (startIndex !== undefined && endIndex !== undefined) places.push({ index, startIndex, endIndex });
    }
  }
  if (quotedText === undefined) return undefined;
  const textAt = new Map(texts.map(({ index, text }) => [index, text]));
  const exact = places.find(
    ({ index, startIndex, endIndex }) => textAt.get(index)?.slice(startIndex, endIndex) === quotedText,
  );
  return exact ?? search(quotedText, texts);
}

/** The offsets do not match the text, so search for the text. */
function search(quotedText: string, texts: readonly Written[]): TextRange | undefined {
  for (const { index, text } of texts) {
    const startIndex = text.indexOf(quotedText);
    if (startIndex >= 0) return { index, startIndex, endIndex: startIndex + quotedText.length };
  }
  return undefined;
}

/** Converts a UTF-8 byte offset to a UTF-16 index. Returns `undefined` after the end and inside a character. */
export function indexAtByte(text: string, bytes: number): number | undefined {
  let index = 0;
  let at = 0;
  while (at < bytes && index < text.length) {
    const code = text.codePointAt(index) as number;
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += code < 0x10000 ? 1 : 2;
  }
  return at === bytes ? index : undefined;
}

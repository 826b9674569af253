import stringWidth from "string-width";
import type { OutputStream } from "./io.js";
import { columnsOf } from "./live-view.js";

/** The number of columns of a text on a terminal. Escape sequences have no width. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/**
 * Breaks a text into lines between words, and inside a word that is longer than a line.
 *
 * @param firstWidth columns that are free on the first line
 * @param width columns of the other lines; at least 2, because a wide character takes 2
 * @returns at least one line; the first is empty if no word fits on it
 */
export function wrapText(text: string, firstWidth: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let column = 0;
  const breakLine = (): void => {
    lines.push(line.trimEnd());
    line = "";
    column = 0;
  };
  const limit = (): number => (lines.length === 0 ? firstWidth : width);

  for (const [index, paragraph] of text.split("\n").entries()) {
    if (index > 0) breakLine();
    for (const word of paragraph.split(/(?<= )(?! )/)) {
      const needed = widthOf(word.trimEnd());
      if (column + needed > limit() && (column > 0 || lines.length === 0) && needed <= width) breakLine();
      if (needed <= limit()) {
        line += word;
        column += widthOf(word);
        continue;
      }
      for (const { segment } of graphemes.segment(word)) {
        if (column + widthOf(segment) > limit()) breakLine();
        line += segment;
        column += widthOf(segment);
      }
    }
  }
  lines.push(line);
  return lines;
}

/**
 * Wraps sentences at the width of a terminal; for a file or a pipe they stay as they are, and so do indented lines, such
 * as the caret below a place.
 */
export function fitted(text: string, stream: OutputStream): string {
  if (stream.isTTY !== true) return text;
  const width = columnsOf(stream);
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : wrapText(line, width, width)))
    .join("\n");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** To measure 16 MB takes 20 seconds. No line of a terminal has as many characters as this. */
const maxMeasured = 10_000;

/** Cuts a text to a number of columns and ends it with an ellipsis if it was longer. */
export function clip(text: string, width: number): string {
  if (text.length <= maxMeasured && widthOf(text) <= width) return text;
  let clipped = "";
  let column = 0;
  for (const { segment } of graphemes.segment(text.slice(0, maxMeasured))) {
    column += widthOf(segment);
    if (column > width - 1) break;
    clipped += segment;
  }
  return `${clipped}…`;
}

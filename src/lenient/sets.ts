import { newLines } from "../json/scan/move-position.js";
import type { OpenDocument } from "./document.js";

/**
 * Reads a set of strings and numbers where the schema expects a list: `{'a', 'b'}`. All of it must be in the text ahead.
 *
 * @returns the index after the set, HOLD, or the same index without a set
 */
export function readSet(document: OpenDocument, text: string, i: number): number {
  const { ahead, cursor, listener } = document;
  ahead.begin(text, i);
  const known = text.slice(i, ahead.end);
  const [set] = whole.exec(known) ?? [];
  if (set === undefined) return ahead.atEnd === undefined && start.test(known) ? cursor.hold(i) : i;
  document.report("set", i);
  listener.open(true);
  for (const [, text, number] of set.matchAll(elements)) {
    if (number === undefined) listener.text(String(text?.slice(1, -1)), true);
    else listener.leaf(document.numberOf(number));
  }
  listener.close();
  newLines(cursor.position, text, i, i + set.length);
  document.afterValue();
  return i + set.length;
}

const text = String.raw`"[^"\\\n]*"|'[^'\\\n]*'`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?`;
const elements = new RegExp(`(${text})|(${number})`, "g");
const whole = new RegExp(String.raw`^\{\s*(?:${text}|${number})(?:\s*,\s*(?:${text}|${number}))*\s*,?\s*\}`);
const start = new RegExp(
  String.raw`^\{\s*(?:(?:${text}|${number})\s*,\s*)*(?:(?:${text}|${number})\s*|"[^"\\\n]*|'[^'\\\n]*|-?[\d.]*)$`,
);

import type { DetectedText, Detector } from "./detector.js";

/**
 * Numbers of payment cards: 13 to 19 digits with a prefix of a card network and the check digit of Luhn, without
 * separators or in the groups that are printed on cards, with single spaces or hyphens between them.
 */
export const card: Detector = Object.assign(
  function* card(run: string): Generator<DetectedText, void, undefined> {
    for (const layout of layouts)
      for (const { index, 1: number = "" } of run.matchAll(layout))
        if (isCard(number)) yield { index, 0: number };
  },
  { characters: /[\d\u00a0 -]/, maxLength: 23 },
);

/** Each finds numbers that overlap: other digits may stand before the number. */
const layouts = [
  String.raw`\d{13,19}`,
  String.raw`\d{4}(?:[\xa0 -]\d{4}){3}`,
  String.raw`\d{4}(?:[\xa0 -]\d{4}){3}[\xa0 -]\d{3}`,
  String.raw`\d{4}[\xa0 -]\d{6}[\xa0 -]\d{4,5}`,
].map((layout) => new RegExp(String.raw`(?<!\d)(?=(${layout})(?!\d))`, "g"));

function isCard(number: string): boolean {
  const digits = number.replaceAll(/\D/g, "");
  // The years of a table begin with 19 and 20.
  if (!/^(?:[346]|5[0-8]|2[2-7])/.test(digits)) return false;
  let sum = 0;
  for (let at = digits.length - 1, twice = false; at >= 0; at--, twice = !twice) {
    const digit = Number(digits[at]) * (twice ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

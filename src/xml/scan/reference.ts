import { lookAhead } from "./markup.js";

/**
 * Finds the end of the reference that a `&` begins.
 *
 * @param lenient whether `&#0;` and other numbers that are not characters of XML 1.0 are bare. Otherwise saxes checks
 *   them.
 * @returns the offset after the `;`, or "bare" if the `&` begins no reference of XML, or "undecided" if more text is
 *   needed
 */
export function referenceAt(text: string, i: number, lenient: boolean): number | "bare" | "undecided" {
  wholeReference.lastIndex = i;
  const digits = wholeReference.exec(text)?.[1];
  if (wholeReference.lastIndex > i) {
    if (!lenient || digits === undefined) return wholeReference.lastIndex;
    return isCharacter(Number(digits.startsWith("x") ? `0${digits}` : digits))
      ? wholeReference.lastIndex
      : "bare";
  }
  const known = text.slice(i, i + lookAhead);
  return known.length < lookAhead && partOfReference.test(known) ? "undecided" : "bare";
}

const wholeReference = /&(?:amp|lt|gt|quot|apos|#([0-9]{1,250}|x[0-9a-fA-F]{1,250}));/y;
const partOfReference = /^&(?:a(?:mp?|p(?:os?)?)?|lt?|gt?|q(?:u(?:ot?)?)?|#(?:[0-9]*|x[0-9a-fA-F]*))?$/;

/** XML 1.0, section 2.2. */
function isCharacter(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff) ||
    code === 0x9 ||
    code === 0xa ||
    code === 0xd
  );
}

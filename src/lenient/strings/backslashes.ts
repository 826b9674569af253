import * as Char from "../../json/scan/characters.js";
import { endsValue } from "../ahead/value-ends.js";
import { type Answer, type FoundAt, NO_DOUBT, QUOTED_BEFORE, type Window } from "../ahead/window.js";
import type { LenientString } from "./open-string.js";
import { isSeparator } from "../ahead/tokens.js";
import { lazyPattern } from "../../text/lazy-pattern.js";

/**
 * After a backslash: is it part of the text, although an escape may begin with it? That is decided by the other backslashes
 * of the string, where one of them is before a letter or bracket that is no escape. So the string is not valid JSON.
 *
 * | text                   | the backslash is text                                                  |
 * | ---------------------- | ---------------------------------------------------------------------- |
 * | `\d+\b`, `\frac \alpha` | before `b` and `f`, also of the escapes before it                       |
 * | `\(\theta\)`          | the same, before brackets                                              |
 * | `\alpha \nu`, `\tau \pi` | where a word of LaTeX begins, for `t` and `r` also before it             |
 * | `C:\temp\data`         | after the letter of a drive                                            |
 * | `C:\Users\new\a.txt`   | in the rest of a path (`endOfNames()`)                                 |
 * | `"D:\data\", "b": 1`   | before the closing quote, if JSON continues only after that            |
 */
export function isText(open: LenientString, text: string, i: number, character: number): Answer {
  const { isDamaged } = open;
  if (!open.isOdd && !mayBegin(text, i, character)) return false;
  const { document, closingQuotes } = open;
  const { ahead, nesting } = document;
  const isPath = !isDamaged && isAfterDrive(open);
  const isClosingQuote = closingQuotes.includes(text.charAt(i));
  if (isClosingQuote) {
    if (!(isDamaged || isPath || open.inPath) || document.inKey || nesting.depth === 0) return false;
    ahead.begin(text, i, NO_DOUBT, closingQuotes);
    return endsAtBackslash(ahead, i, nesting.depth);
  }
  if (!isLetterOfEscape(text.charAt(i))) {
    open.inPath ||= isPath;
    return false;
  }
  if (character === Char.LOWER_N && !isDamaged && !isPath) return false;
  ahead.begin(text, i, NO_DOUBT, closingQuotes);
  const mayBeText =
    isPath || character === Char.LOWER_B || character === Char.LOWER_F || beginsWord(ahead, i);
  return isDamaged || mayBeText !== true ? mayBeText : isDamagedAfter(ahead, i + 1, nesting.depth);
}

/** A short cut: may this be `\b` or `\f`, or the start of a word of LaTeX? */
function mayBegin(text: string, i: number, character: number): boolean {
  if (character === Char.LOWER_B || character === Char.LOWER_F) return true;
  const letters = character === Char.LOWER_T ? afterT : character === Char.LOWER_R ? afterR : undefined;
  if (letters === undefined || i + 1 === text.length) return letters !== undefined;
  const next = letters[text.charAt(i + 1)];
  return next !== undefined && (next === "" || i + 2 === text.length || next.includes(text.charAt(i + 2)));
}

/** `\n` and others, but not `\u`. */
function isLetterOfEscape(character: string): boolean {
  return "bfnrt".includes(character);
}

function isAfterDrive({ token }: LenientString): boolean {
  const { length } = token;
  return length <= longestStart && /(?:^|[\s"'(=])[a-z]:$/i.test(token.whole);
}

/** Later in a string it is not looked for the name of a drive. */
const longestStart = 64;

/** Does a word of LaTeX begin with this letter? */
function beginsWord(ahead: Window, i: number): Answer {
  const known = ahead.text.slice(i, Math.min(i + 14, ahead.end));
  if (i + known.length === ahead.end && /^[a-z]*$/i.test(known)) {
    const mayBe = latex.test(known) || words.some((word) => word.startsWith(known));
    return mayBe ? ahead.unlessMore(latex.test(known)) : false;
  }
  return latex.test(known);
}

const words =
  "nabla natural ne nearrow neg neq newline nmid not notin nu rangle rceil rfloor rho right rightarrow rm tan tanh tau text textbf textit textrm textsf texttt tfrac theta tilde times to top triangle".split(
    " ",
  );
const afterT = lettersAfter("t");
const afterR = lettersAfter("r");
const latex = new RegExp(String.raw`^(?:${words.join("|")})(?![a-z]|\.[a-z])`, "i");

/** The second letters of the words with this first one, and the third letters after each; `""` for any. */
function lettersAfter(first: string): Readonly<Record<string, string | undefined>> {
  const letters: Record<string, string | undefined> = {};
  for (const [initial, second = "", third = ""] of words) {
    const before = letters[second];
    if (initial === first) letters[second] = third === "" || before === "" ? "" : (before ?? "") + third;
  }
  return letters;
}

/** Is there a backslash before the end of the string that begins no escape? */
function isDamagedAfter(ahead: Window, start: number, depth: number): Answer {
  const { escapes, before, closingQuotes } = ahead;
  let from = escapes.end(before + start, closingQuotes);
  for (let i = from - before; i < ahead.end; i++) {
    if (ahead.mayClose(i)) return false;
    if (ahead.at(i) !== Char.BACKSLASH) continue;
    if (++i === ahead.end) break;
    const isClosingQuote = ahead.mayClose(i);
    const damages = isClosingQuote ? endsAtBackslash(ahead, i, depth) : isNoEscape(ahead, i);
    if (damages !== false) return damages;
    // The end of the text ahead may have decided about a quote or \u.
    if (isClosingQuote || i + 4 >= ahead.end) continue;
    const next = before + i + 1;
    escapes.step(from, next);
    from = next;
  }
  return ahead.unlessMore(false);
}

/** A letter, digit or bracket after a backslash that is no escape. */
function isNoEscape(ahead: Window, i: number): Answer {
  const character = ahead.text.charAt(i);
  if (ahead.at(i) !== Char.LOWER_U) return damages().test(character) && !isLetterOfEscape(character);
  for (let digit = i + 1; digit <= i + 4; digit++) {
    if (digit === ahead.end) return ahead.unlessMore(false);
    if (!Char.isHexDigit(ahead.at(digit))) return true;
  }
  return false;
}

/** At a quote after a backslash: does JSON continue after it, and not after the next quote? */
function endsAtBackslash(ahead: Window, quote: number, depth: number): Answer {
  const next = ahead.skipBlank(quote + 1);
  if (next < 0) return ahead.unlessMore(false);
  if (!isSeparator(ahead.at(next))) return false;
  const ends = endsValue(ahead, quote + 1, depth, QUOTED_BEFORE);
  if (ends !== true) return ends;
  for (let i = quote + 1; i < ahead.end; i++) {
    if (ahead.at(i) === Char.BACKSLASH) i++;
    else if (ahead.mayClose(i)) {
      const isEscape = endsValue(ahead, i + 1, depth, NO_DOUBT);
      return isEscape === undefined ? undefined : !isEscape;
    }
  }
  return ahead.unlessMore(true);
}

/**
 * Returns where the names end that begin here, with backslashes between them: `Users\new\a.txt`. A capital letter after
 * `\n`, `\r` or `\t` ends them, and outside of a path with a drive a single letter is no name: `\d`.
 */
export function endOfNames(ahead: Window, start: number, inPath: boolean): FoundAt {
  const [{ length }] = (inPath ? shortNames : names)().exec(ahead.text.slice(start, ahead.end)) ?? [""];
  const end = start + length;
  // A backslash at the end may begin the next name.
  return end + 3 > ahead.end ? ahead.unlessMore(end) : end;
}

export const isNameCharacter = lazyPattern(String.raw`[\p{L}\p{N}]`);
export const damages = lazyPattern(String.raw`[\p{L}\p{N}()[\]{}]`);
const names = namesOf(String.raw`[\p{L}\p{N}_]{2}`);
const shortNames = namesOf(String.raw`(?:[\p{L}\p{N}_]{2}|(?![bfnrtu])[\p{L}\p{N}_])`);

function namesOf(start: string): () => RegExp {
  const name = String.raw`${start}[\p{L}\p{N}_ .()-]*`;
  return lazyPattern(String.raw`^${name}(?:\\(?![nrt]\p{Lu})${name})*`);
}

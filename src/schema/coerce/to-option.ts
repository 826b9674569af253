import type { Scalar } from "../guard/problems.js";
import { foldCase, foldWords } from "./fold.js";
import { lazyPattern } from "../../text/lazy-pattern.js";
import { madeOnce } from "../../tree/made-once.js";

/**
 * The option that a text means: the same despite case, accents, space and punctuation, or followed by an explanation
 * (`"High: it must be fixed today"`). `undefined` if it means no option, or may mean two.
 *
 * @param options the values of an `enum` or a `const`
 */
export function toOption(text: string, options: readonly Scalar[]): Scalar | undefined {
  const names = namesOf(options);
  const whole = names.find(text);
  if (whole !== undefined) return whole === several ? undefined : whole.option;
  const room = 2 * names.longest + DECORATION;
  const ends = [...text.slice(0, room).matchAll(beforeExplanation())].map(({ index }) => index).reverse();
  for (const end of ends) {
    const found = names.find(text.slice(0, end));
    if (found === undefined) continue;
    if (found === several || names.hasOther(text.slice(end), found.option)) return undefined;
    return found.option;
  }
  return undefined;
}

/**
 * Whether a text that begins like this may still mean an option. Reads a bounded part of it, because reading a long
 * string at each chunk is costly.
 *
 * @param checked the number of characters that were checked before
 */
export function mayNameOption(text: string, options: readonly Scalar[], checked: number): boolean {
  const names = namesOf(options);
  const enough = 2 * names.longest + 2 * DECORATION;
  return checked > enough ? !names.isEmpty : names.mayFollow(text.slice(0, enough));
}

/** How many characters besides an option's own may come before an explanation: quotes, stars, spaces. */
const DECORATION = 16;

/** The end of a word, with quotes or stars after it, that an explanation can follow. */
const beforeExplanation = lazyPattern(
  String.raw`(?<=[\p{L}\p{N}][*"'\x60)]*)(?=\s*[:;,.!?\n(\u2013\u2014]|\s+-\s)`,
  "gu",
);
const notWords = lazyPattern(String.raw`[^\p{L}\p{N}]+`, "gu");

const several = Symbol("several");

/** An object, because the option itself may be `null`. */
type NamedOption = { readonly option: Scalar } | typeof several;

/** The names of the options, folded once: a model may write thousands of texts for one `enum`. */
class FoldedOptions {
  longest = 0;
  private readonly byCase = new Map<string, NamedOption>();
  private readonly byWords = new Map<string, NamedOption>();
  private readonly folds = [[foldCase, this.byCase] as const, [foldWords, this.byWords] as const];
  private readonly words = new Map<Scalar, string>();

  constructor(options: readonly Scalar[]) {
    for (const option of options) {
      if (this.words.has(option)) continue;
      const name = String(option);
      this.longest = Math.max(this.longest, name.length);
      this.words.set(option, words(name));
      for (const [fold, found] of this.folds) {
        const folded = fold(name);
        found.set(folded, found.has(folded) ? several : { option });
      }
    }
  }

  get isEmpty(): boolean {
    return this.words.size === 0;
  }

  find(text: string): NamedOption | undefined {
    for (const [fold, found] of this.folds) {
      const wanted = fold(text);
      if (wanted === "") return undefined;
      const named = found.get(wanted);
      if (named !== undefined) return named;
    }
    return undefined;
  }

  /** Whether an option begins with this text, or the text with an option. */
  mayFollow(text: string): boolean {
    const begin = foldWords(text);
    for (const name of this.byWords.keys()) {
      if (name.startsWith(begin) || (name !== "" && begin.startsWith(name))) return true;
    }
    return false;
  }

  /** Whether a text has the words of an option that is not this one. */
  hasOther(text: string, option: Scalar): boolean {
    const written = words(text);
    for (const [other, name] of this.words) {
      if (other !== option && written.includes(name)) return true;
    }
    return false;
  }
}

const namesOf = madeOnce((options: readonly Scalar[]) => new FoldedOptions(options));

/** The words of a text, each between spaces. */
function words(text: string): string {
  return ` ${foldCase(text).replace(notWords(), " ").trim()} `;
}

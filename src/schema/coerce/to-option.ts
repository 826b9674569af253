import type { JsonValue } from "../../json/value.js";
import { foldCase, foldWords } from "./fold.js";
import { lazyPattern } from "../../text/lazy-pattern.js";

/**
 * The option that a text means: the same despite case, accents, space and punctuation, or followed by an explanation
 * (`"High: it must be fixed today"`). `undefined` if it means no option, or may mean two.
 *
 * @param options the values of an `enum` or a `const`
 */
export function toOption(text: string, options: readonly JsonValue[]): JsonValue | undefined {
  const named = options.filter((option) => typeof option !== "object" || option === null) as OptionScalar[];
  const whole = optionNamed(text, named);
  if (whole !== undefined) return whole === several ? undefined : whole.option;
  const room = 2 * Math.max(...named.map((option) => String(option).length)) + DECORATION;
  const ends = [...text.slice(0, room).matchAll(beforeExplanation())].map(({ index }) => index).reverse();
  for (const end of ends) {
    const found = optionNamed(text.slice(0, end), named);
    if (found === undefined) continue;
    if (found === several) return undefined;
    const rest = words(text.slice(end));
    const isOnly = named.every((option) => option === found.option || !rest.includes(words(String(option))));
    return isOnly ? found.option : undefined;
  }
  return undefined;
}

type OptionScalar = string | number | boolean | null;

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
function optionNamed(
  text: string,
  options: readonly OptionScalar[],
): { readonly option: OptionScalar } | typeof several | undefined {
  for (const fold of [foldCase, foldWords]) {
    const wanted = fold(text);
    if (wanted === "") return undefined;
    const [found, ...others] = options.filter((option) => fold(String(option)) === wanted);
    if (found !== undefined) return others.length > 0 ? several : { option: found };
  }
  return undefined;
}

/** The words of a text, each between spaces. */
function words(text: string): string {
  return ` ${foldCase(text).replace(notWords(), " ").trim()} `;
}

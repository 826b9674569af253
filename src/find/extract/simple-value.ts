import { parseBareValue } from "../../lenient/bare-value.js";

/**
 * Is the text a number or a literal? Fewer texts are than in a document (`parseBareValue()`), where `0x1F` and `TRUE` are
 * rarely prose.
 */
export function isSimpleValue(text: string, lenient: boolean): boolean {
  const { words, number } = lenient ? lenientForms : strictForms;
  return words.includes(text) || number.test(text);
}

/** Returns a number or a literal as JSON. Other texts are returned as they are. */
export function jsonOf(text: string): string {
  if (isSimpleValue(text, false) || !isSimpleValue(text, true)) return text;
  if (!/\d/.test(text)) return JSON.stringify(parseBareValue(text).value);
  // All digits, so that the number is reported if it is rounded.
  return text
    .replace(/^\+/, "")
    .replace(/(?<!\d)\./, "0.")
    .replace(/\.(?!\d)/, "");
}

/** May the text be the start of a number or a literal? */
export function startsSimpleValue(text: string, lenient: boolean): boolean {
  const { words, number } = lenient ? lenientForms : strictForms;
  return number.test(text) || number.test(`${text}0`) || words.some((word) => word.startsWith(text));
}

const strictForms = {
  words: ["true", "false", "null"],
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
};

const lenientForms = {
  words: ["true", "false", "null", "True", "False", "None", "undefined"].concat(
    ["", "+", "-"].flatMap((sign) => [`${sign}NaN`, `${sign}Infinity`]),
  ),
  number: /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/,
};

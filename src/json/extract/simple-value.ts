/** Whether the text is a number or a literal. */
export function isSimpleValue(text: string, lenient: boolean): boolean {
  const { words, number } = lenient ? lenientForms : strictForms;
  return words.includes(text) || number.test(text);
}

/** Returns a number or a literal as JSON. Other texts are returned as they are. */
export function jsonOf(text: string): string {
  if (isSimpleValue(text, false) || !isSimpleValue(text, true)) return text;
  if (/[tT]rue|[fF]alse/.test(text)) return text.toLowerCase();
  return /\d/.test(text) ? String(Number(text)) : "null";
}

/** Whether the text may be the start of a number or a literal. */
export function startsSimpleValue(text: string, lenient: boolean): boolean {
  const { words, start } = lenient ? lenientForms : strictForms;
  return start.test(text) || words.some((word) => word.startsWith(text));
}

const strictForms = {
  words: ["true", "false", "null"],
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  start: /^-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)?$/,
};

const lenientForms = {
  words: ["true", "false", "null", "True", "False", "None", "undefined"].concat(
    ["", "+", "-"].flatMap((sign) => [`${sign}NaN`, `${sign}Infinity`]),
  ),
  number: /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/,
  start: /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d*)(?:[eE][+-]?\d*)?)?$/,
};

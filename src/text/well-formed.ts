/**
 * JSON text without half a surrogate pair, which servers refuse: each becomes U+FFFD. In the text that
 * `JSON.stringify()` writes, and in that of a model, such a half is an escape: `"\ud83c"`. A pair of escapes stays.
 */
export function wellFormedJson(text: string): string {
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(escapes, (escape) => (half.test(escape) ? "\\ufffd" : escape));
}

/** A pair of escapes, or any other escape: `\\` also hides the letter after it. */
const escapes = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\[^]/gi;
const half = /^\\ud[89a-f][\da-f]{2}$/i;

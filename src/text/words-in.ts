/**
 * The words of a text, for long lists of names.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function wordsIn(text: string): string[] {
  return text.trim().split(/\s+/);
}

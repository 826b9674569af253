/** The maximum length of the text before a place that decides what is there. */
export const maxBefore = 60;

export function textBefore(text: string, end: number): string {
  return text.slice(Math.max(0, end - maxBefore), end);
}

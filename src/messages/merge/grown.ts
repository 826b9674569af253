import { flatten } from "../../tree/flatten.js";

/**
 * A text, and what it grows by. It is made one string whenever it has grown by a third to a half: each character is copied
 * about four times, and the chain of its pieces holds no more than the last third of them. See also `GrowingText`.
 */
export function grown(text: string, suffix: string): string {
  const whole = text + suffix;
  const { length } = whole;
  if (length < shortest || suffix.length > longest) return whole;
  // Whether one of the two highest bits of the length is another than before.
  if ((text.length ^ length) >>> (30 - Math.clz32(length)) !== 0) flatten(whole);
  return whole;
}

/** Below this the chain costs less than to copy it. */
const shortest = 16_384;
/** Of pieces longer than this no chain is long. */
const longest = 256;

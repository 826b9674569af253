import { flatten } from "./flatten.js";

/**
 * Appends to a text and flattens the result each time its length has grown by a third to a half. Each character is
 * copied about four times, and the rope of pieces holds at most the last third. `GrowingText` copies less where the
 * caller can keep an object.
 */
export function appendText(text: string, suffix: string): string {
  const whole = text + suffix;
  const { length } = whole;
  if (length < shortest || suffix.length > longest) return whole;
  // True when one of the two highest bits of the length has changed.
  if ((text.length ^ length) >>> (30 - Math.clz32(length)) !== 0) flatten(whole);
  return whole;
}

/** Below this length, a rope is cheaper than copying. */
const shortest = 16_384;
/** Pieces longer than this never form a long rope. */
const longest = 256;

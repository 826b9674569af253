/**
 * A text, and what it grows by. The engine keeps a text that was put together as a chain of its pieces, many times its size,
 * which each garbage collection has to walk, until a character of it is read. So one is, whenever the text has grown by a
 * third to a half: each character is copied about four times, and the chain holds no more than the last third of them.
 */
export function grown(text: string, suffix: string): string {
  const whole = text + suffix;
  const { length } = whole;
  if (length < shortest || suffix.length > longest) return whole;
  // Whether one of the two highest bits of the length is another than before.
  if ((text.length ^ length) >>> (30 - Math.clz32(length)) !== 0) read.last = whole.charCodeAt(0);
  return whole;
}

/** Below this the chain costs less than to copy it. */
const shortest = 1_024;
/** Of pieces longer than this no chain is long. */
const longest = 256;

/** Of no use, but that the compiler cannot know it. */
const read = { last: 0 };

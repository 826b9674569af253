/**
 * Makes one string of a text that was put together. The engine keeps such a text as a chain of its pieces, many times its
 * size, which each garbage collection has to walk, until a character of it is read.
 */
export function flatten(text: string): void {
  read.last = text.charCodeAt(0);
}

/** Of no use, but that the compiler cannot know it. */
const read = { last: 0 };

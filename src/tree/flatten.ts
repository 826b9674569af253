/**
 * Flattens a concatenated text. The engine keeps such a text as a rope of its pieces, many times its size, which each
 * garbage collection traverses until a character of it is read.
 */
export function flatten(text: string): void {
  read.last = text.charCodeAt(0);
}

/** Unused, but the compiler cannot know that. */
const read = { last: 0 };

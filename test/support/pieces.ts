/** Cuts the text into pieces of the same size. */
export function blocks(text: string, size: number): string[] {
  return [...pieces(text, () => size)];
}

export function* pieces(text: string, nextSize: () => number): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + nextSize();
    yield copied(text.slice(at, end));
  }
}

/**
 * A flat string of its own, decoded from bytes as a network reader does, with one byte per character where possible. A
 * slice would be a view that keeps the whole text in memory.
 */
export function copied(text: string): string {
  const narrow = Buffer.from(text, "latin1").toString("latin1");
  return narrow === text ? narrow : Buffer.from(text, "utf16le").toString("utf16le");
}

/** Converts a UTF-8 byte offset to a UTF-16 index. Returns `undefined` after the end and inside a character. */
export function indexAtByte(text: string, bytes: number): number | undefined {
  let index = 0;
  let at = 0;
  while (at < bytes && index < text.length) {
    const code = text.codePointAt(index) as number;
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += code < 0x10000 ? 1 : 2;
  }
  return at === bytes ? index : undefined;
}

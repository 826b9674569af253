/** Nine letters and digits for a text, always the same ones. Two texts have different ones, but for bad luck. */
export function shortId(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code ^ (a >>> 13), 0x5bd1e995);
  }
  const number = (a >>> 0) * 2 ** 20 + (b >>> 12);
  return number.toString(36).padStart(9, "0").slice(-9);
}

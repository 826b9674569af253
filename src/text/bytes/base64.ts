import { GrowingText } from "../growing-text.js";

/** Encodes bytes as base64 text (RFC 4648, section 4). */
export function base64(bytes: Iterable<number>): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Base64 text that grows by pieces. Each piece encodes whole bytes and is read once. */
export class Base64Text {
  private readonly start = new GrowingText();
  /** The last four characters, which may end with padding. */
  private last = "";

  constructor(text: string) {
    this.add(text);
  }

  add(piece: string): void {
    const joined = joinBase64(this.last, piece);
    this.start.add(joined.slice(0, -4));
    this.last = joined.slice(-4);
  }

  get value(): string {
    return this.start.value + this.last;
  }
}

/** Joins two base64 texts. The first may end with padding, which is valid only at the end of the result. */
export function joinBase64(a: string, b: string): string {
  if (!a.endsWith("=")) return a + b;
  const last = Math.max(0, a.length - 4);
  try {
    return a.slice(0, last) + btoa(atob(a.slice(last)) + atob(b));
  } catch {
    return a + b; // not base64
  }
}

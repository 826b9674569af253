/** A random UUID, in pages without TLS digits alone. */
export function randomId(): string {
  return typeof (crypto as Partial<Crypto>).randomUUID === "function" ? crypto.randomUUID() : randomDigits();
}

/**
 * `crypto.randomUUID()` is missing in pages without TLS, such as those of a development server in the local network.
 */
export function randomDigits(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

export function hexOf(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

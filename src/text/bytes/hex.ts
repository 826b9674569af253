/** A random UUID, in pages without TLS its digits alone: they have no `crypto.randomUUID()`. */
export function randomId(): string {
  return typeof (crypto as Partial<Crypto>).randomUUID === "function"
    ? crypto.randomUUID()
    : hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

export function hexOf(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

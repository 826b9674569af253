/**
 * The base64 (RFC 4648, section 4) of what two pieces of it say one after the other. Each piece stands for whole bytes, so
 * the first may end with padding, which is only allowed at the end of all.
 */
export function joinBase64(a: string, b: string): string {
  if (!a.endsWith("=")) return a + b;
  const last = a.length - 4;
  return a.slice(0, last) + btoa(atob(a.slice(last)) + atob(b));
}

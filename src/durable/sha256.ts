import { createHash } from "node:crypto";

/** The SHA-256 of a text, as its first hexadecimal digits. */
export function sha256(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

import type { JsonValue } from "../../json/value.js";

/** An object or array that a string contains. */
export interface FoundDocument {
  readonly value: JsonValue;
  readonly isRepaired: boolean;
}

/** Whether a string that begins with this text may contain a document. Looks at its first characters only. */
export function mayBecomeDocument(text: string): boolean {
  return /^\s{0,100}(?:[[{]|$)/.test(text);
}

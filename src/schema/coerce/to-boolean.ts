import { foldWords } from "./fold.js";

/** The boolean that a text means: `true`, `false`, `yes` and `no`, in any case. */
export function toBoolean(text: string): boolean | undefined {
  return text.length > MAX_LENGTH ? undefined : booleans.get(foldWords(text));
}

/** No longer text is a boolean, with the quotes and spaces around it. */
const MAX_LENGTH = 20;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

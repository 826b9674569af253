import { JsonParser } from "../../../json/parser.js";

/** Reads a whole text from its first character on, as one does with each chunk who has no incremental parser. */
export function readAgain(text: string, strict: boolean): void {
  const parser = new JsonParser({ extract: strict ? "none" : "auto", repair: !strict });
  try {
    parser.write(text);
    parser.snapshot();
  } catch {
    // The run itself says so.
  }
}

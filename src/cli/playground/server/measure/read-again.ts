import { JsonParser } from "../../../../json/parser.js";

/** Parses a whole text from the start, as programs without an incremental parser do after each chunk. */
export function readAgain(text: string, strict: boolean): void {
  const parser = new JsonParser({ extract: strict ? "none" : "auto", repair: !strict });
  try {
    parser.write(text);
    parser.snapshot();
  } catch {
    // The run reports the error.
  }
}

import { extract } from "../../../../find/choose/extraction.js";
import { repair } from "../../../../lenient/repair.js";
import { fast } from "../../../../json/fast/fast-paths.js";
import { JsonParser } from "../../../../json/parser.js";

/** Parses a whole text from the start, as programs without an incremental parser do after each chunk. */
export function readAgain(text: string, strict: boolean): void {
  const parser = new JsonParser(strict ? { fast } : { extract, repair, fast });
  try {
    parser.write(text);
    parser.snapshot();
  } catch {
    // The run reports the error.
  }
}

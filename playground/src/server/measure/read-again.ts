import { JsonParser, extract, fast, repair } from "millrace/json";

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

import type { JsonParserOptions } from "../options.js";
import { LenientScanner } from "../repair/lenient-scanner.js";
import { RawStringScanner } from "../repair/raw-string-scanner.js";
import { Scanner } from "../scan/scanner.js";

/** Receives the text after a document, and its offset. */
export type ProseAfter = (text: string, offset: number) => void;

export function createScanner(options: JsonParserOptions, proseAfter?: ProseAfter): Scanner {
  if (options.repair === true) return new LenientScanner(options, proseAfter);
  return new (options.repair === "strings" ? RawStringScanner : Scanner)(options, proseAfter);
}

/** The options for a document that is not the result. */
export function bare({ repair, maxDepth, maxKeys, lookAhead }: JsonParserOptions): JsonParserOptions {
  return Object.fromEntries(
    Object.entries({ repair, maxDepth, maxKeys, lookAhead }).filter(([, value]) => value !== undefined),
  );
}

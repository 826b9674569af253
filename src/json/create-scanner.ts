import type { Built } from "./handler.js";
import type { JsonParserOptions, ScannerContext } from "./options.js";
import type { JsonScanner } from "./scan/json-scanner.js";
import { Scanner } from "./scan/scanner.js";

/** Creates the scanner for the options, and tells the builder what it reads. */
export function createScanner(
  options: JsonParserOptions,
  builder: Built,
  after?: ScannerContext["after"],
): JsonScanner {
  const context = { options, builder, after };
  return options.repair === undefined ? new Scanner(context) : options.repair.createScanner(context);
}

/** The options for a document that is not the result. */
export function bare({ repair, fast, maxDepth, maxKeys, lookAhead }: JsonParserOptions): JsonParserOptions {
  return Object.fromEntries(
    Object.entries({ repair, fast, maxDepth, maxKeys, lookAhead }).filter(([, value]) => value !== undefined),
  );
}

import { rawStrings, repair } from "../../lenient/repair.js";
import type { JsonParserOptions } from "../options.js";
import { Scanner } from "../scan/scanner.js";
import type { CreateScanner } from "../scanner.js";

const strict: CreateScanner = (options, builder, proseAfter) => new Scanner(options, builder, proseAfter);

/** Creates the scanner for these options. */
export const createScanner: CreateScanner = (options, builder, proseAfter) => {
  const create = options.repair === true ? repair : options.repair === "strings" ? rawStrings : strict;
  return create(options, builder, proseAfter);
};

/** The options for a document that is not the result. */
export function bare({ repair, maxDepth, maxKeys, lookAhead }: JsonParserOptions): JsonParserOptions {
  return Object.fromEntries(
    Object.entries({ repair, maxDepth, maxKeys, lookAhead }).filter(([, value]) => value !== undefined),
  );
}

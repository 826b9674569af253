import type { JsonParseErrorCode } from "../errors.js";
import { defaultLookAhead, defaultMaxDepth, defaultMaxKeys, type JsonParserOptions } from "../options.js";
import { LenientScanner } from "../../lenient/scanner.js";
import { Allow } from "../allow.js";
import type { Builder } from "../build/builder.js";
import { createFastPaths } from "../fast/fast-paths.js";
import type { JsonScanner } from "../scanner.js";
import { LINE_FEED } from "../scan/characters.js";
import { Scanner } from "../scan/scanner.js";

/** Receives the text after a document, and its offset. */
export type ProseAfter = (text: string, offset: number) => void;

/** The scanner for these options. It tells the builder what it reads. */
export function createScanner(
  options: JsonParserOptions,
  builder: Builder,
  proseAfter?: ProseAfter,
): JsonScanner {
  if (options.repair === true) return createLenientScanner(options, builder, proseAfter);
  return new (options.repair === "strings" ? RawStringScanner : Scanner)(options, builder, proseAfter);
}

function createLenientScanner(
  options: JsonParserOptions,
  builder: Builder,
  proseAfter: ProseAfter | undefined,
): JsonScanner {
  return new LenientScanner(builder, {
    allow: options.allow ?? Allow.STR | Allow.COLLECTION,
    lookAhead: options.lookAhead ?? defaultLookAhead,
    maxDepth: options.maxDepth ?? defaultMaxDepth,
    maxKeys: options.maxKeys ?? defaultMaxKeys,
    mayContinue: options.extract === "auto",
    isGuarded: options.guard !== undefined,
    onRepair: options.onRepair,
    fast: (nesting, position, afterString) =>
      createFastPaths(options, afterString, builder, nesting, position),
    proseAfter,
  });
}

/** The options for a document that is not the result. */
export function bare({ repair, maxDepth, maxKeys, lookAhead }: JsonParserOptions): JsonParserOptions {
  return Object.fromEntries(
    Object.entries({ repair, maxDepth, maxKeys, lookAhead }).filter(([, value]) => value !== undefined),
  );
}

/**
 * Reads JSON whose strings may contain raw line breaks and tabs. Unlike other mistakes they have only one meaning, so
 * the text is also certain enough to run a tool with it.
 */
class RawStringScanner extends Scanner {
  private readonly onRepair: JsonParserOptions["onRepair"];

  constructor(options: JsonParserOptions, builder: Builder, proseAfter?: ProseAfter) {
    super(options, builder, proseAfter);
    this.onRepair = options.onRepair;
  }

  protected override deviate(code: JsonParseErrorCode, text: string, i: number, character: number): number {
    if (code !== "control_character") return super.deviate(code, text, i, character);
    if (!this.inKey) this.keepToken(); // the guard may refuse the text before
    this.onRepair?.({ kind: code, offset: this.position.offset + i });
    if (character === LINE_FEED) this.position.newLine(i);
    this.fresh += text.charAt(i);
    return i + 1;
  }
}

import type { JsonParseErrorCode } from "../errors.js";
import type { JsonParserOptions } from "../options.js";
import { LenientScanner } from "../repair/lenient-scanner.js";
import { LINE_FEED } from "../scan/characters.js";
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

/**
 * Reads JSON whose strings may contain raw line breaks and tabs. Unlike other mistakes they have only one meaning, so
 * the text is also certain enough to run a tool with it.
 */
class RawStringScanner extends Scanner {
  private readonly onRepair: JsonParserOptions["onRepair"];

  constructor(options: JsonParserOptions, proseAfter?: (text: string, offset: number) => void) {
    super(options, proseAfter);
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

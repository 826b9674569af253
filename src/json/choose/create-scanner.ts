import { Builder } from "../build/builder.js";
import type { JsonParseErrorCode } from "../errors.js";
import type { JsonReading } from "../guard.js";
import { coerces, type JsonParserOptions } from "../options.js";
import { LenientScanner } from "../repair/lenient-scanner.js";
import { LINE_FEED } from "../scan/characters.js";
import { Scanner, type ScanTarget } from "../scan/scanner.js";

/** Receives the text after a document, and its offset. */
export type ProseAfter = (text: string, offset: number) => void;

/** A scanner, and the builder of what it reads. */
export interface JsonReader {
  readonly scanner: Scanner;
  readonly builder: Builder;
}

/** Creates a scanner and a builder, with the guard of the options between them. */
export function createReader(options: JsonParserOptions, proseAfter?: ProseAfter): JsonReader {
  const { guard, onComplete } = options;
  const builder = new Builder(options, onComplete);
  const handler = guard?.(builder, readingOf(options)) ?? builder;
  return { builder, scanner: createScanner(options, { builder, handler }, proseAfter) };
}

function readingOf(options: JsonParserOptions): JsonReading {
  const { repair, locale, onCoerce: report = (): void => {} } = options;
  return { repairs: repair === true, coercing: coerces(options) ? { locale, report } : undefined };
}

function createScanner(options: JsonParserOptions, target: ScanTarget, proseAfter?: ProseAfter): Scanner {
  if (options.repair === true) return new LenientScanner(options, target, proseAfter);
  return new (options.repair === "strings" ? RawStringScanner : Scanner)(options, target, proseAfter);
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

  constructor(options: JsonParserOptions, target: ScanTarget, proseAfter?: ProseAfter) {
    super(options, target, proseAfter);
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

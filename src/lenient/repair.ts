import { Allow } from "../json/allow.js";
import type { JsonParseErrorCode } from "../json/errors.js";
import { createFastPaths } from "../json/fast/fast-paths.js";
import { defaultLookAhead, defaultMaxDepth, defaultMaxKeys } from "../json/options.js";
import { LINE_FEED } from "../json/scan/characters.js";
import { Scanner } from "../json/scan/scanner.js";
import type { CreateScanner } from "../json/scanner.js";
import { LenientScanner } from "./scanner.js";

/** Repairs the mistakes that models make: `JsonRepairKind` lists them. */
export const repair: CreateScanner = (options, builder, proseAfter) =>
  new LenientScanner(builder, {
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

/**
 * Repairs only raw line breaks and tabs in strings. Unlike other mistakes they have only one meaning, so the text is
 * also certain enough to run a tool with it.
 */
export const rawStrings: CreateScanner = (options, builder, proseAfter) =>
  new RawStringScanner(options, builder, proseAfter);

class RawStringScanner extends Scanner {
  private readonly onRepair: Parameters<CreateScanner>[0]["onRepair"];

  constructor(...[options, builder, proseAfter]: Parameters<CreateScanner>) {
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

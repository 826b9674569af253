import { Builder } from "./build/builder.js";
import type { JsonReading } from "./guard.js";
import {
  coerces,
  isLenient,
  type DocumentParts,
  type JsonParserOptions,
  type WatchedOptions,
} from "./options.js";
import { Scanner } from "./scan/scanner.js";
import { withoutUndefined } from "./value.js";

/** Creates a scanner and a builder, with the guard of the options between them. */
export function createReader(options: WatchedOptions): DocumentParts & { readonly builder: Builder } {
  const { repair, guard, watch } = options;
  const builder = new Builder(options);
  const checked = guard?.(builder, readingOf(options)) ?? builder;
  const handler = watch?.(checked) ?? checked;
  const context = { options, builder, handler };
  return { builder, scanner: repair?.createScanner(context) ?? new Scanner(context) };
}

function readingOf(options: JsonParserOptions): JsonReading {
  const { locale, onCoerce: report = (): void => {} } = options;
  const repairs = isLenient(options);
  return {
    repairs,
    several: repairs && options.extract !== undefined,
    coercing: coerces(options) ? { locale, report } : undefined,
  };
}

/** The options for a document that is not the result. Short cuts would look for its end in all of the text. */
export function bare({ repair, maxDepth, maxKeys, lookAhead }: JsonParserOptions): JsonParserOptions {
  return withoutUndefined({ repair, maxDepth, maxKeys, lookAhead });
}

import type { Found } from "../../json/extraction.js";
import { JsonParseError } from "../../json/errors.js";
import { forwardingWatch } from "../../json/forwarding.js";
import type { JsonGuard, JsonWatch } from "../../json/guard.js";
import type { JsonParserOptions } from "../../json/options.js";
import { createBuilder } from "../../json/build/guarded-builder.js";
import type { JsonScanner } from "../../json/scan/json-scanner.js";
import { isInstance } from "../../text/thrown.js";
import { bare, createScanner } from "../../json/create-scanner.js";

/** Reads the start of a document with the guard, before it is shown. */
export class DocumentTrial {
  readonly found: Found;
  /** The text of the document so far. */
  text = "";
  /** Why the guard refuses the document. */
  violation: { readonly error: unknown } | undefined;
  private readonly scanner: JsonScanner;
  private fits = false;
  private length = 0;

  constructor(found: Found, { guard, ...options }: JsonParserOptions) {
    const { coerce, locale, extract } = options;
    this.found = found;
    const trialOptions = {
      ...bare(options),
      ...(extract !== undefined && { extract }),
      ...(coerce !== undefined && { coerce }),
      ...(locale !== undefined && { locale }),
      guard: watched(guard as JsonGuard, () => (this.fits = true)),
    };
    this.scanner = createScanner(trialOptions, createBuilder(trialOptions), () => (this.fits = true));
    this.scanner.position.startAt({ ...found, text: "" });
  }

  /**
   * Reads the next part, a character at a time, so the decision does not depend on the chunks. Returns whether the
   * document fits the schema: the value of a key that it expects has begun, or an element of an array, or the document
   * is complete. `undefined` if that is not known yet.
   */
  read(text: string): boolean | undefined {
    this.text += text;
    const { scanner } = this;
    try {
      for (let i = 0; i < text.length; i++) {
        const character = text.charAt(i);
        scanner.position.enter(character);
        scanner.scan(character);
        scanner.position.leave();
        if (this.fits || ++this.length > maxLength) return true;
      }
    } catch (error) {
      if (isInstance(error, JsonParseError)) return true; // Reading it again throws the same error.
      this.violation = { error };
      return false;
    }
    return undefined;
  }
}

/** A longer part of a document is not held back. */
const maxLength = 64 * 1024;

/** The guard, which also reports the first value that it expects. */
function watched(guard: JsonGuard, onFit: () => void): JsonGuard {
  return {
    watch(place, coercing): JsonWatch {
      const inner = guard.watch(place, coercing);
      let isExpected = false;
      let depth = 0;
      let hiddenAt = Infinity;
      const begun = (): void => {
        if (depth <= hiddenAt && (isExpected || Array.isArray(place.container()))) onFit();
      };
      return {
        ...forwardingWatch(inner),
        key(key) {
          const name = inner.key(key);
          isExpected = inner.expectsKey?.(name) ?? true;
          return name;
        },
        open(kind, hidden) {
          const hides = inner.open(kind, hidden);
          if (hides) hiddenAt = Math.min(hiddenAt, depth);
          else if (isExpected) onFit();
          depth++;
          return hides;
        },
        closed() {
          inner.closed();
          if (--depth <= hiddenAt) hiddenAt = Infinity;
        },
        text(text, suffix) {
          const isShown = inner.text(text, suffix);
          if (text !== "") begun();
          return isShown;
        },
        leaf(value) {
          const read = inner.leaf(value);
          begun();
          return read;
        },
      };
    },
  };
}

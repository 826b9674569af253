import type { Found } from "../../json/extraction.js";
import { JsonParseError } from "../../json/errors.js";
import { forwardingWatch } from "../../json/forwarding.js";
import type { JsonGuard, JsonWatch } from "../../json/guard.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { Builder } from "../../json/build/builder.js";
import type { JsonValue } from "../../json/value.js";
import { createBuilder } from "../../json/build/guarded-builder.js";
import type { JsonScanner } from "../../json/scan/json-scanner.js";
import { isInstance } from "../../text/thrown.js";
import { createScanner } from "../../json/create-scanner.js";

/** Reads a document with the guard before it is shown: its start, or all of it. */
export class DocumentTrial {
  readonly found: Found;
  /** The text of the document so far. */
  text = "";
  /** Why the guard refuses the document. */
  violation: { readonly error: unknown } | undefined;
  private readonly builder: Builder;
  private readonly scanner: JsonScanner;
  private readonly isWhole: boolean;
  private readonly isGuarded: boolean;
  private fits = false;
  private length = 0;

  /** @param isWhole does the document only fit as a whole? */
  constructor(
    found: Found,
    { guard, onRepair: _, onCoerce: __, onComplete: ___, ...options }: JsonParserOptions,
    isWhole: boolean,
  ) {
    const fits = (): void => {
      this.fits = true;
    };
    this.found = found;
    this.isWhole = isWhole;
    this.isGuarded = guard !== undefined;
    const trial = {
      ...options,
      ...(guard !== undefined && { guard: isWhole ? guard : watched(guard, fits) }),
    };
    this.builder = createBuilder(trial);
    this.scanner = createScanner(trial, this.builder, fits);
    this.scanner.position.startAt({ ...found, text: "" });
  }

  /**
   * Reads the next part. Returns whether the document fits the schema: it is complete, or the value of a key that the
   * schema expects has begun, or an element of an array. `undefined` if that is not known yet.
   */
  read(text: string): boolean | undefined {
    this.text += text;
    // A character at a time, so the decision does not depend on the chunks.
    const length = this.isWhole ? text.length : 1;
    return this.decided(() => {
      for (let i = 0; i < text.length && !this.fits; i += length) {
        this.scan(text.slice(i, i + length));
        if (!this.isWhole && ++this.length > maxLength) this.fits = true;
      }
    });
  }

  /** The text has ended. Returns whether the document fits; as the start of one it does. */
  end(): boolean {
    if (!this.isWhole) return true;
    // Without a guard a document that is cut off is no answer.
    return this.decided(() => this.scanner.finish(!this.isGuarded)) ?? this.scanner.done;
  }

  /** Reads a document that is complete. Returns its value; `undefined` if it is not valid. */
  valueOf(text: string): JsonValue | undefined {
    return (this.read(text) ?? this.end()) ? this.builder.value : undefined;
  }

  private scan(text: string): void {
    const { scanner } = this;
    scanner.position.enter(text);
    scanner.scan(text);
    scanner.position.leave();
  }

  private decided(read: () => void): boolean | undefined {
    try {
      read();
      return this.fits || undefined;
    } catch (error) {
      // In a stream, reading the text again throws the same error.
      if (isInstance(error, JsonParseError)) return !this.isWhole;
      this.violation = { error };
      return false;
    }
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

import { startAt } from "../../json/scan/move-position.js";
import type { Found } from "../../json/extraction.js";
import type { JsonGuard } from "../../json/guard.js";
import type { Built, JsonListener } from "../../json/handler.js";
import type { WatchedOptions } from "../../json/options.js";
import { PassingHandler } from "../../json/passing.js";
import type { JsonValue } from "../../json/value.js";
import { Mistake, Rejection } from "../../json/scan/rejection.js";
import type { JsonScanner, RestReader } from "../../json/scan/json-scanner.js";
import { createReader } from "../../json/create-scanner.js";

/** Reads a document with the guard before it is shown: its start, or all of it. */
export class DocumentTrial implements RestReader {
  readonly found: Found;
  /** The text of the document so far. */
  text = "";
  /** Why the guard refuses the document. */
  violation: Rejection | undefined;
  private readonly builder: Built;
  private readonly scanner: JsonScanner;
  private readonly isWhole: boolean;
  private readonly isGuarded: boolean;
  private fits = false;
  private length = 0;

  /** @param isWhole does the document only fit as a whole? */
  constructor(
    found: Found,
    { guard, onRepair: _, onCoerce: __, onComplete: ___, watch: ____, ...options }: WatchedOptions,
    isWhole: boolean,
  ) {
    this.found = found;
    this.isWhole = isWhole;
    this.isGuarded = guard !== undefined;
    const onFit = isWhole ? undefined : this.accept.bind(this);
    const { scanner, builder } = createReader({ ...options, ...(guard && { guard: tried(guard, onFit) }) });
    this.builder = builder;
    this.scanner = scanner;
    scanner.rest = this;
    startAt(this.scanner.position, { ...found, text: "" });
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

  /** There is text after the document. */
  after(): void {
    this.accept();
  }

  /** Reads a document that is complete. Returns its value; `undefined` if it is not valid. */
  valueOf(text: string): JsonValue | undefined {
    return (this.read(text) ?? this.end()) ? this.builder.value : undefined;
  }

  private accept(): void {
    this.fits = true;
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
      // In a stream, reading the text again finds the same mistake.
      if (error instanceof Mistake) return !this.isWhole;
      this.violation = Rejection.of(error);
      return false;
    }
  }
}

/** A longer part of a document is not held back. */
const maxLength = 64 * 1024;

/** The guard of a document that may not be the one that is meant. */
function tried(guard: JsonGuard, onFit: (() => void) | undefined): JsonGuard {
  return (next, reading) => {
    const checked = guard(next, { ...reading, refuse: (createError) => new Rejection(createError) });
    return onFit === undefined ? checked : new FitReporter(checked, onFit);
  };
}

/** Stands in front of the guard, and reports the first value that the guard expects. */
class FitReporter extends PassingHandler {
  private readonly onFit: () => void;
  /** Does the schema expect the value that follows? In a member that it does not name, it expects none. */
  private isExpected = true;
  private readonly containers: { readonly isArray: boolean; readonly isExpected: boolean }[] = [];

  constructor(guard: JsonListener, onFit: () => void) {
    super(guard);
    this.onFit = onFit;
  }

  override key(key: string): void {
    super.key(key);
    this.isExpected = this.containers.at(-1)?.isExpected === true && this.expectsMember();
  }

  override open(isArray: boolean): void {
    super.open(isArray);
    const isMember = this.containers.at(-1)?.isArray === false;
    this.containers.push({ isArray, isExpected: this.isExpected });
    if (isMember) this.begun();
  }

  override close(): void {
    super.close();
    this.isExpected = this.containers.pop()?.isExpected === true;
  }

  override text(piece: string, final: boolean): void {
    super.text(piece, final);
    if (piece !== "" || final) this.begun();
  }

  override leaf(value: JsonValue): void {
    super.leaf(value);
    this.begun();
  }

  private begun(): void {
    const isInside = this.containers.length > 0;
    if (isInside && this.isExpected && this.visibility() === "shown") this.onFit();
  }
}

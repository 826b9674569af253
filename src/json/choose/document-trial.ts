import type { Found } from "../extraction.js";
import { JsonParseError } from "../errors.js";
import type { JsonGuard } from "../guard.js";
import type { JsonListener } from "../handler.js";
import type { JsonParserOptions } from "../options.js";
import { PassingHandler } from "../passing.js";
import type { JsonScanner } from "../scan/json-scanner.js";
import type { JsonValue } from "../value.js";
import { isInstance } from "../../text/thrown.js";
import { bare, createReader } from "../create-scanner.js";

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
    const onFit = (): void => {
      this.fits = true;
    };
    const { scanner } = createReader(
      {
        ...bare(options),
        ...(extract !== undefined && { extract }),
        ...(coerce !== undefined && { coerce }),
        ...(locale !== undefined && { locale }),
        guard: (next, reading) => new FitReporter((guard as JsonGuard)(next, reading), onFit),
      },
      onFit,
    );
    this.scanner = scanner;
    scanner.position.startAt({ ...found, text: "" });
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

/** Stands in front of the guard, and reports the first value that the guard expects. */
class FitReporter extends PassingHandler {
  private readonly onFit: () => void;
  private isExpected = false;
  /** For each open container, whether it is an array. */
  private readonly containers: boolean[] = [];

  constructor(guard: JsonListener, onFit: () => void) {
    super(guard);
    this.onFit = onFit;
  }

  override key(key: string): void {
    super.key(key);
    this.isExpected = this.expectsMember();
  }

  override open(isArray: boolean): void {
    super.open(isArray);
    this.containers.push(isArray);
    if (this.isExpected && this.visibility() === "shown") this.onFit();
  }

  override close(): void {
    super.close();
    this.containers.pop();
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
    const inArray = this.containers.at(-1) === true;
    if ((inArray || this.isExpected) && this.visibility() === "shown") this.onFit();
  }
}

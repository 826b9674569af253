import type { JsonParseError } from "./errors.js";
import type { Builder } from "./build/builder.js";
import { createReader } from "./choose/create-scanner.js";
import { DocumentChoice } from "./choose/document-choice.js";
import { LaterDocuments } from "./choose/later-documents.js";
import type { Found } from "./extract/found.js";
import { defaultMaxLength, type JsonParserOptions } from "./options.js";
import type { JsonPatchOperation } from "./patch/patch.js";
import type { Scanner } from "./scan/scanner.js";
import { isInString } from "./scan/states.js";
import type { JsonValue } from "./value.js";
import { keepAlive } from "../tree/keep-alive.js";
import { positive } from "../text/check-number.js";

/**
 * An incremental JSON parser. It takes text in chunks of any size. At any time it returns the value so far, an
 * immutable snapshot of it, or a JSON Patch with the changes. It is synchronous; `jsonParser()` adds the streams.
 *
 * Its invariants. Property tests cite the numbers (test/behaviour/json/invariants.test.ts):
 *
 * 1. Each character is read a bounded number of times: the whole stream costs O(length), with any chunking.
 * 2. The final value is deeply equal to `JSON.parse(text)`, `__proto__` and duplicate keys included. What `JSON.parse`
 *    rejects is rejected, at the earliest chunk at which no continuation could be valid.
 * 3. Strings are shown as they grow, never with half an escape or half a surrogate pair.
 * 4. Numbers, `true`, `false`, `null` and keys appear only when they are complete, unless `allow` permits otherwise.
 * 5. A value never changes its type, and an array or object changes only at its open end. The one exception is a
 *    duplicate key: as in `JSON.parse` the later value wins, by a `replace`.
 * 6. Applying the patches in order to `null` gives, after each patch, exactly the snapshot of that moment.
 * 7. The first patch is `[{op: "replace", path: "", value}]`; a property or element appears with `add`, a string grows
 *    with `replace`, or with `append` where that option is set.
 * 8. Patches and snapshots are never mutated after they were returned.
 * 9. Memory is O(value) plus a constant; `maxDepth`, `maxKeys` and `maxLength` bound it.
 *
 * @example
 * ```ts
 * import { JsonParser } from "millrace";
 *
 * const parser = new JsonParser();
 * parser.write('{"name": "Ada", "langu');
 * console.log(parser.snapshot(), parser.takePatch());
 * parser.write('ages": ["Analytical');
 * console.log(parser.snapshot(), parser.takePatch());
 * console.log(parser.isComplete("/name"), parser.isComplete("/languages/0"));
 * ```
 */
export class JsonParser {
  private readonly scanner: Scanner;
  private readonly builder: Builder;
  private readonly options: JsonParserOptions;
  /** Searches for the document until it has begun. */
  private extractor: DocumentChoice | undefined;
  /** Reads the text after the document. */
  private laterDocuments: LaterDocuments | undefined;
  /** Whether the document must be the whole text. */
  private whole = false;
  private readonly maxLength: number;
  private ended = false;
  /** Every further call throws this error. */
  private failure: { readonly error: unknown } | undefined;

  /** @throws {RangeError} if a bound is not a positive number, or `locale` not a BCP 47 tag */
  constructor(options: JsonParserOptions = {}) {
    if (options.locale !== undefined) Intl.getCanonicalLocales(options.locale);
    positive("maxDepth", options.maxDepth ?? Infinity);
    positive("maxKeys", options.maxKeys ?? Infinity);
    positive("maxLength", options.maxLength ?? Infinity);
    positive("lookAhead", options.lookAhead ?? Infinity);
    const { repair = false, extract = "none" } = options;
    keepAlive(`json ${repair} ${extract}`, () => new JsonParser({ repair, extract }));
    this.options = options;
    const isSearched = extract === "auto";
    const { scanner, builder } = createReader(options, isSearched ? this.readProse.bind(this) : undefined);
    this.scanner = scanner;
    this.builder = builder;
    if (isSearched) this.extractor = new DocumentChoice(options);
    this.maxLength = options.maxLength ?? defaultMaxLength;
  }

  /**
   * Reads the next chunk of the text.
   *
   * @throws {JsonParseError} at the first character that cannot be part of valid JSON. The value so far remains
   *   available (`value`, `snapshot()`, `takePatch()`). Every further call throws the same error.
   */
  write(text: string): void {
    if (this.failure !== undefined) throw this.failure.error;
    const { scanner } = this;
    const { position } = scanner;
    position.enter(text);
    try {
      if (this.ended) {
        throw scanner.fail("write_after_end", "More text was written after end()", 0, "nothing after end()");
      }
      const room = this.maxLength - position.offset - position.held;
      this.read(text.length > room ? text.slice(0, room) : text);
      if (text.length > room) {
        const problem = `The text is longer than maxLength (${this.maxLength})`;
        // With `extract` the chunk of the position may begin later than this one.
        const { position } = this.scanner;
        const end = this.maxLength - position.offset;
        const undecided = this.scanner.undecided();
        position.newLines(undecided, 0, undecided.length, end - undecided.length);
        if (position.found(end) === undefined) position.extend(text.slice(room));
        throw this.scanner.fail("max_length", problem, end, "the end of the text");
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    }
    this.scanner.position.leave();
  }

  /**
   * Ends the text. Calling it again does nothing.
   *
   * @param truncated whether the text is known to be truncated, for example by a token limit. Then `repair` does not
   *   add missing brackets
   * @throws {JsonParseError} `unexpected_end` if the text ended inside the document, `empty` if it ended before one.
   *   Neither is thrown with `onTruncated: "keep"`
   */
  end({ truncated = false }: { readonly truncated?: boolean } = {}): void {
    if (this.failure !== undefined) throw this.failure.error;
    if (this.ended) return;
    this.ended = true;
    try {
      this.begin(this.extractor?.end());
      this.scanner.position.leave();
      this.laterDocuments?.end();
      const isWhole = this.scanner.finish(truncated);
      if (!isWhole && this.options.onTruncated !== "keep") throw this.endError();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  /**
   * The live value. It is mutated in place as text arrives, so it costs no copies. `undefined` until a value begins.
   */
  get value(): JsonValue | undefined {
    return this.builder.value;
  }

  /** Whether the document is complete. A number at the root is complete only after `end()`. */
  get complete(): boolean {
    return this.scanner.done;
  }

  /** Whether the text so far ends inside a string or a key. */
  get inString(): boolean {
    return isInString(this.scanner.state);
  }

  /**
   * Returns the current value, immutable. Parts that did not change since the previous snapshot are the same objects
   * (`===`), including the root.
   */
  snapshot(): JsonValue | undefined {
    return this.builder.snapshot();
  }

  /**
   * How many members `snapshot()` copies if all open containers changed: those of the open objects, twice for an object
   * of more than 2,700. Of an open array, 25 elements count as one, because they are copied faster; in an array of more
   * than 16,000, five do.
   */
  get openMembers(): number {
    return this.builder.openMembers;
  }

  /**
   * Returns the changes since the last call, as the fewest possible operations of RFC 6902. Without changes, as after
   * half of all tokens, the patch is empty; all empty patches are one frozen array.
   */
  takePatch(): JsonPatchOperation[] {
    return this.builder.takePatch();
  }

  /**
   * Whether the value at a JSON Pointer exists and is final.
   *
   * @throws {TypeError} if the text is not a JSON Pointer (RFC 6901)
   */
  isComplete(pointer: string): boolean {
    return this.builder.isComplete(pointer);
  }

  private read(text: string): void {
    if (this.extractor === undefined) this.scanner.scan(text);
    else {
      this.scanner.position.newLines(text, 0, text.length);
      this.begin(this.extractor.find(text));
    }
  }

  private begin(found: Found | undefined): void {
    if (found === undefined) return;
    this.extractor = undefined;
    this.whole = found.whole === true;
    const { offset, repair } = found;
    if (repair !== undefined) this.options.onRepair?.({ kind: repair.kind, offset });
    const { text } = repair ?? found;
    this.scanner.position.startAt({ ...found, text, offset: offset - (repair?.added ?? 0) });
    this.scanner.scan(text);
  }

  private readProse(text: string, offset: number): void {
    if (this.whole) this.checkRest(text, offset);
    this.laterDocuments ??= new LaterDocuments(this.options, offset, this.scanner.position.lineSoFar);
    this.laterDocuments.read(text, this.builder);
  }

  /**
   * A document that does not look like one must be the whole text, except for brackets, fences, tags and comments, and
   * for other documents. A list of several values that satisfies a schema may also be followed by words.
   */
  private checkRest(text: string, offset: number): void {
    const { position } = this.scanner;
    const length = rest.exec(text)?.[0].length ?? 0;
    if (length === text.length || otherDocument.test(text.slice(length))) return;
    const { value } = this.builder;
    if (this.options.guard !== undefined && Array.isArray(value) && value.length > 1) return;
    position.newLines(text, 0, length, offset - position.offset);
    const expected = "nothing after the document";
    const problem = `Expected ${expected}, but found ${JSON.stringify(text.charAt(length))}`;
    throw this.scanner.fail("trailing_text", problem, offset - position.offset + length, expected);
  }

  private endError(): JsonParseError {
    const { scanner } = this;
    const expected = scanner.expected();
    if (scanner.begun) {
      return scanner.fail(
        "unexpected_end",
        `The text ended inside the document: expected ${expected}`,
        0,
        expected,
      );
    }
    if (this.extractor?.refuses === true) {
      const problem = "Expected a JSON document, but the text reads as a refusal";
      return scanner.fail("refusal", problem, 0, expected);
    }
    if (this.extractor?.inThinking === true && this.options.openThinking === true) {
      const problem = "Expected </think> before the document, because openThinking is set, but found none";
      return scanner.fail("thinking", problem, 0, "</think>");
    }
    const problem =
      this.extractor === undefined
        ? "Expected a JSON value, but the text ended before one began"
        : "Expected a JSON document, but found none in the text";
    return scanner.fail("empty", problem, 0, expected);
  }
}

/** The text that may follow a document that must be the whole text. */
const rest = /^(?:[\s)}\],;.]|`+|~{3,}|\/\*[^]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*|<[/|][^<>]*>)*/;

/** Text in brackets, a number or a literal. A string is rather a citation: `[1] "On Growth"`. */
const otherDocument = /^(?:[[{][^]*[\]}]|-?\d[\d.eE+-]*|true|false|null)\s*$/;

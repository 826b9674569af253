import { createReader } from "./create-scanner.js";
import type { DocumentSearch, Missing } from "./extraction.js";
import { defaultMaxLength, type JsonParserOptions } from "./options.js";
import type { JsonPatchOperation } from "./patch/patch.js";
import type { Builder } from "./build/builder.js";
import type { JsonScanner } from "./scan/json-scanner.js";
import type { JsonValue } from "./value.js";
import { keepAlive } from "../tree/keep-alive.js";
import { positive } from "../text/check-number.js";
import { type Mistake, Rejection } from "./scan/rejection.js";

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
 * import { JsonParser } from "millrace/json";
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
  private readonly reader: DocumentReader;

  /** @throws {RangeError} if a bound is not a positive number, or `locale` not a BCP 47 tag */
  constructor(options: JsonParserOptions = {}) {
    if (options.locale !== undefined) Intl.getCanonicalLocales(options.locale);
    for (const bound of ["maxDepth", "maxKeys", "maxLength", "lookAhead"] as const) {
      positive(bound, options[bound] ?? Infinity);
    }
    this.reader = new DocumentReader(options);
  }

  /**
   * Reads the next chunk of the text.
   *
   * @throws {JsonParseError} at the first character that cannot be part of valid JSON. The value so far remains
   *   available (`value`, `snapshot()`, `takePatch()`). Every further call throws the same error.
   */
  write(text: string): void {
    const failure = this.reader.write(text);
    if (failure !== undefined) throw failure.error;
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
    const failure = this.reader.end(truncated);
    if (failure !== undefined) throw failure.error;
  }

  /**
   * The live value. It is mutated in place as text arrives, so it costs no copies. `undefined` until a value begins.
   */
  get value(): JsonValue | undefined {
    return this.reader.builder.value;
  }

  /** Whether the document is complete. A number at the root is complete only after `end()`. */
  get complete(): boolean {
    return this.reader.scanner.done;
  }

  /** Whether the text so far ends inside a string or a key. */
  get inString(): boolean {
    return this.reader.scanner.inString;
  }

  /**
   * Returns the current value, immutable. Parts that did not change since the previous snapshot are the same objects
   * (`===`), including the root.
   */
  snapshot(): JsonValue | undefined {
    return this.reader.builder.snapshot();
  }

  /**
   * How many members `snapshot()` copies if all open containers changed: those of the open objects, twice for an object
   * of more than 2,700. Of an open array, 25 elements count as one, because they are copied faster; in an array of more
   * than 16,000, five do.
   */
  get openMembers(): number {
    return this.reader.builder.openMembers;
  }

  /**
   * Returns the changes since the last call, as the fewest possible operations of RFC 6902. Without changes, as after
   * half of all tokens, the patch is empty; all empty patches are one frozen array.
   */
  takePatch(): JsonPatchOperation[] {
    return this.reader.builder.takePatch();
  }

  /**
   * Whether the value at a JSON Pointer exists and is final.
   *
   * @throws {TypeError} if the text is not a JSON Pointer (RFC 6901)
   */
  isComplete(pointer: string): boolean {
    return this.reader.builder.isComplete(pointer);
  }
}

/**
 * The machine in `JsonParser`, which returns why it cannot read a text instead of throwing it. Readers that try a text
 * as one of several things use it.
 */
export class DocumentReader {
  readonly builder: Builder;
  readonly scanner: JsonScanner;
  private readonly options: JsonParserOptions;
  private readonly search: DocumentSearch | undefined;
  private readonly maxLength: number;
  private ended = false;
  /** Every further call returns it. */
  private failure: Rejection | undefined;

  constructor(options: JsonParserOptions) {
    const { repair, extract, fast } = options;
    const kind = `json ${repair?.lenient} ${extract !== undefined} ${fast !== undefined}`;
    keepAlive(kind, () => new JsonParser({ repair, extract, fast } as JsonParserOptions));
    this.options = options;
    const { scanner, builder } = createReader(options);
    this.builder = builder;
    this.scanner = scanner;
    this.search = scanner.rest = extract?.(options, { scanner, builder });
    this.maxLength = options.maxLength ?? defaultMaxLength;
  }

  write(text: string): Rejection | undefined {
    if (this.failure !== undefined) return this.failure;
    const { scanner } = this;
    const { position } = scanner;
    position.enter(text);
    try {
      if (this.ended) {
        throw scanner.fail("write_after_end", "More text was written after end()", 0, "nothing after end()");
      }
      const room = this.maxLength - position.offset;
      const reader = this.search ?? scanner;
      if (text.length <= room) reader.scan(text);
      else {
        reader.scan(text.slice(0, room));
        // With `extract` or `repair` the chunk of the position may have other ends than this one.
        const end = this.maxLength - position.offset;
        if (end === position.text.length) position.text += text.slice(room);
        const problem = `The text is longer than maxLength (${this.maxLength})`;
        throw scanner.fail("max_length", problem, end, "the end of the text");
      }
    } catch (error) {
      return (this.failure = Rejection.of(error));
    }
    position.leave();
    return undefined;
  }

  end(truncated: boolean): Rejection | undefined {
    if (this.ended || this.failure !== undefined) return this.failure;
    this.ended = true;
    try {
      const isWhole = (this.search ?? this.scanner).finish(truncated);
      if (!isWhole && this.options.onTruncated !== "keep") this.failure = this.mistakeAtEnd();
    } catch (error) {
      this.failure = Rejection.of(error);
    }
    return this.failure;
  }

  private mistakeAtEnd(): Mistake {
    const { scanner, search } = this;
    if (scanner.begun) {
      const problem = `The text ended inside the document: expected ${scanner.expected()}`;
      return scanner.fail("unexpected_end", problem, 0);
    }
    const { code, problem, expected } = search?.missing() ?? nothing;
    return scanner.fail(code, problem, 0, expected);
  }
}

const nothing: Missing = {
  code: "empty",
  problem: "Expected a JSON value, but the text ended before one began",
};

import { type Line, lineSoFar, startAt } from "../../json/scan/move-position.js";
import type { Built } from "../../json/handler.js";
import { Extractor } from "../extract/extractor.js";
import type { Found } from "../../json/extraction.js";
import { isLenient, type JsonParserOptions } from "../../json/options.js";
import { Mistake } from "../../json/scan/rejection.js";
import type { JsonScanner, RestReader } from "../../json/scan/json-scanner.js";
import { bare, createReader } from "../../json/create-scanner.js";

/** A place where the text after a document continues. */
interface Rest {
  readonly text: string;
  readonly offset: number;
}

/**
 * Finds the documents after another one. In `, {"b": 2} {"c": 3}` it calls `onFound` at offset 2, which calls `skip()`,
 * reads that document to its end with a scanner of its own, and searches on. If `onFound` keeps the document instead, the
 * search ends.
 */
export class LaterDocuments implements RestReader {
  private readonly options: JsonParserOptions;
  private readonly onFound: (found: Found) => void;
  private extractor: Extractor;
  /** The offset of the text that the extractor reads, and its line. */
  private base: number;
  private line: Line;
  private scanner: JsonScanner | undefined;
  /** The start of the document that was found last, until it is scanned. */
  private found: string | undefined;
  private start = 0;
  private rest: Rest | undefined;
  /** Did a `<think>` end that was opened in the prompt? Then the document before it was reasoning. */
  private closedThinking = false;

  /** @param line the line of the text that begins at `offset` */
  constructor(options: JsonParserOptions, offset: number, line: Line, onFound: (found: Found) => void) {
    this.options = options;
    this.line = line;
    this.extractor = new Extractor(isLenient(options));
    this.base = offset;
    this.onFound = onFound;
  }

  /** Reads the next chunk. After `skip()` it begins with that document. */
  read(text: string): void {
    if (this.found === undefined) this.scanner?.position.enter(text);
    let next: string | undefined = text;
    while (next !== undefined) {
      if (this.scanner === undefined) this.begin(this.extractor.find(next));
      next = this.readDocument(next);
    }
  }

  /** The text has ended. */
  end(): void {
    if (this.scanner === undefined) this.begin(this.extractor.end());
  }

  /** Reports a document, and prepares to find its end. */
  skip(found: Found): void {
    const { offset, text } = found;
    this.options.onRepair?.({ kind: "extra_document", offset });
    const { scanner } = createReader(bare(this.options));
    scanner.rest = this;
    startAt(scanner.position, found);
    this.scanner = scanner;
    this.found = text;
    this.start = offset;
  }

  /** Keeps the text after the document that is skipped. */
  after(text: string, offset: number): void {
    this.rest = { text: (this.rest?.text ?? "") + text, offset: this.rest?.offset ?? offset };
  }

  /**
   * At the start of a document that was skipped.
   *
   * @param first the document before the text
   * @throws {Mistake} `thinking` after a lone `</think>`
   */
  checkThinking(first: Built): void {
    if (!this.closedThinking) return;
    const expected = "the end of the text";
    const problem =
      "The document before </think> was part of the model's thinking, and another one follows: set openThinking";
    const { position } = this.scanner as JsonScanner;
    throw position.mistake("thinking", problem, 0, () => {
      return { expected, pointer: "", value: first.snapshot() };
    });
  }

  private begin(found: Found | undefined): void {
    this.closedThinking ||= this.extractor.closedThinking;
    if (found === undefined || found.whole === true) return;
    this.onFound({
      ...found,
      offset: this.base + found.offset,
      line: this.line.line + found.line - 1,
      lineStart: found.line === 1 ? this.line.lineStart : this.base + found.lineStart,
    });
  }

  /** Scans the document. Returns the text after it. */
  private readDocument(text: string): string | undefined {
    const { scanner } = this;
    if (scanner === undefined) return undefined;
    const start = this.found ?? text;
    this.found = undefined;
    this.rest = undefined;
    const before = scanner.position.offset;
    try {
      scanner.scan(start);
      scanner.position.leave();
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      // Another document may begin after the mistake.
      const after = Math.max(error.offset, this.start + 1);
      this.restart(after);
      // An escaped document is read in parts: more text may follow the one with the mistake.
      const { text: part, offset } = scanner.position;
      return part.slice(after - offset) + start.slice(offset + part.length - before);
    }
    const rest = this.rest as Rest | undefined;
    if (rest === undefined) return undefined;
    this.restart(rest.offset);
    return rest.text;
  }

  private restart(offset: number): void {
    this.line = lineSoFar((this.scanner as JsonScanner).position);
    this.scanner = undefined;
    this.extractor = new Extractor(isLenient(this.options));
    this.base = offset;
  }
}

import type { DocumentSearch, Found, Missing } from "../../json/extraction.js";
import type { Extract, JsonParserOptions, DocumentParts } from "../../json/options.js";
import { lineSoFar, newLines, startAt } from "../../json/scan/move-position.js";
import { DocumentChoice } from "./document-choice.js";
import { LaterDocuments } from "./later-documents.js";

/**
 * The value to pass as `extract`: finds the document in prose, `<think>` blocks and Markdown fences, and reports each
 * further document after it.
 */
export const extract: Extract = (options, document) => new DocumentInText(options, document, false);

/** The same for a whole text, which shows more: see the table at `DocumentChoice`. */
export const extractFromWhole: Extract = (options, document) => new DocumentInText(options, document, true);

class DocumentInText implements DocumentSearch {
  private readonly options: JsonParserOptions;
  private readonly document: DocumentParts;
  /** Undefined once the document has begun: an open stream does not keep it. */
  private choice: DocumentChoice | undefined;
  private later: LaterDocuments | undefined;
  /** Must the document be all of the text? */
  private mustBeAll = false;

  constructor(options: JsonParserOptions, document: DocumentParts, isWholeText: boolean) {
    this.options = options;
    this.document = document;
    this.choice = new DocumentChoice(options, isWholeText);
  }

  scan(text: string): void {
    const { scanner } = this.document;
    const { choice } = this;
    if (choice === undefined) scanner.scan(text);
    else {
      newLines(scanner.position, text, 0, text.length);
      this.begin(choice.find(text));
    }
  }

  finish(truncated: boolean): boolean {
    const { scanner } = this.document;
    if (this.choice !== undefined) this.begin(this.choice.end());
    scanner.position.leave();
    const isComplete = scanner.finish(truncated);
    this.later?.end();
    return isComplete;
  }

  private begin(found: Found | undefined): void {
    if (found === undefined) return;
    this.choice = undefined;
    this.mustBeAll = found.whole === true;
    const { offset, repair } = found;
    if (repair !== undefined) this.options.onRepair?.({ kind: repair.kind, offset });
    const { text } = repair ?? found;
    const { scanner } = this.document;
    startAt(scanner.position, { ...found, text, offset: offset - (repair?.added ?? 0) });
    scanner.scan(text);
  }

  after(text: string, offset: number): void {
    if (this.mustBeAll) this.checkRest(text, offset);
    const { scanner, builder } = this.document;
    this.later ??= new LaterDocuments(this.options, offset, lineSoFar(scanner.position), (found) => {
      this.later?.skip(found);
      this.later?.checkThinking(builder);
    });
    this.later.read(text);
  }

  missing(): Missing {
    const extractor = this.choice?.extractor;
    if (extractor?.refuses === true) {
      return { code: "refusal", problem: "Expected a JSON document, but the text reads as a refusal" };
    }
    if (extractor?.inThinking === true && this.options.openThinking === true) {
      return {
        code: "thinking",
        problem: "Expected </think> before the document, because openThinking is set, but found none",
        expected: "</think>",
      };
    }
    return { code: "empty", problem: "Expected a JSON document, but found none in the text" };
  }

  /**
   * A document that does not look like one must be the whole text, except for brackets, fences, tags and comments, and
   * for other documents. A list of several values that satisfies a schema may also be followed by words.
   */
  private checkRest(text: string, offset: number): void {
    const { scanner, builder } = this.document;
    const { position } = scanner;
    const length = rest.exec(text)?.[0].length ?? 0;
    if (length === text.length || otherDocument.test(text.slice(length))) return;
    const { value } = builder;
    if (this.options.guard !== undefined && Array.isArray(value) && value.length > 1) return;
    newLines(position, text, 0, length, offset - position.offset);
    const expected = "nothing after the document";
    const problem = `Expected ${expected}, but found ${JSON.stringify(text.charAt(length))}`;
    throw scanner.fail("trailing_text", problem, offset - position.offset + length, expected);
  }
}

/** The text that may follow a document that must be the whole text. */
const rest = /^(?:[\s)}\]］｝,;.]|`+|~{3,}|\/\*[^]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*|<[/|][^<>]*>)*/;

/** Text in brackets, a number or a literal. A string is rather a citation: `[1] "On Growth"`. */
const otherDocument = /^(?:[[{][^]*[\]}]|-?\d[\d.eE+-]*|true|false|null)\s*$/;

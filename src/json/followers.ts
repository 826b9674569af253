import { Extractor } from "./extract/extract.js";
import type { Found } from "./extract/found.js";
import { JsonParseError } from "./errors.js";
import type { Position } from "./scan/position.js";
import type { Scanner } from "./scan/scanner.js";
import { isInstance } from "../text/thrown.js";

/** A place where the text after a document continues. */
interface Rest {
  readonly text: string;
  readonly offset: number;
}

/** Creates a scanner that only finds the end of a document. */
export type CreateFollower = (proseAfter: (text: string, offset: number) => void) => Scanner;

/** Reads the text after the document, and reports each document in it. */
export class Followers {
  private readonly lenient: boolean;
  private readonly create: CreateFollower;
  private readonly report: (offset: number) => void;
  private extractor: Extractor;
  /** The offset of the text that the extractor reads, and its line. */
  private base: number;
  private line: Position["lineSoFar"];
  private scanner: Scanner | undefined;
  /** The start of the document that was found last, until it is scanned. */
  private found: string | undefined;
  private start = 0;
  private rest: Rest | undefined;

  /** @param position where the document before has ended */
  constructor(
    lenient: boolean,
    offset: number,
    position: Position,
    create: CreateFollower,
    report: (offset: number) => void,
  ) {
    this.line = position.lineSoFar;
    this.lenient = lenient;
    this.create = create;
    this.report = report;
    this.extractor = new Extractor(lenient);
    this.base = offset;
  }

  /** Reads the next chunk. */
  read(text: string): void {
    this.scanner?.position.enter(text);
    let next: string | undefined = text;
    while (next !== undefined) {
      if (this.scanner === undefined) this.begin(this.extractor.find(next));
      next = this.scan(next);
    }
  }

  /** The text has ended. */
  end(): void {
    if (this.scanner === undefined) this.begin(this.extractor.end());
  }

  private begin(found: Found | undefined): void {
    if (found === undefined || found.whole === true) return;
    const offset = this.base + found.offset;
    const line = this.line.line + found.line - 1;
    const lineStart = found.line === 1 ? this.line.lineStart : this.base + found.lineStart;
    this.report(offset);
    this.scanner = this.create((text, at) => (this.rest = { text, offset: at }));
    this.scanner.position.startAt({ ...found, offset, line, lineStart });
    this.found = found.text;
    this.start = offset;
  }

  /** Scans the document. Returns the text after it. */
  private scan(text: string): string | undefined {
    const { scanner } = this;
    if (scanner === undefined) return undefined;
    const start = this.found ?? text;
    this.found = undefined;
    this.rest = undefined;
    try {
      scanner.scan(start);
      scanner.position.leave();
    } catch (error) {
      if (!isInstance(error, JsonParseError)) throw error;
      // Another document may begin after the mistake.
      const after = Math.max(error.offset, this.start + 1);
      this.restart(after);
      return scanner.position.textFrom(after);
    }
    const rest = this.rest as Rest | undefined;
    if (rest === undefined) return undefined;
    this.restart(rest.offset);
    return rest.text;
  }

  private restart(offset: number): void {
    this.line = (this.scanner as Scanner).position.lineSoFar;
    this.scanner = undefined;
    this.extractor = new Extractor(this.lenient);
    this.base = offset;
  }
}

import { Extractor } from "./extract/extract.js";
import type { Found } from "./extract/found.js";
import { JsonParseError } from "./errors.js";
import type { Scanner } from "./scan/scanner.js";
import { isInstance } from "../text/thrown.js";

/** A place where the text after a document continues. */
interface Rest {
  readonly text: string;
  readonly offset: number;
}

/** Creates a scanner that only finds the end of a document. */
export type CreateFollower = (proseAfter: (text: string, offset: number) => void) => Scanner;

/**
 * Reads the text after the document. Reports each document in it, and reads over it. A document after the end of a `<think>`
 * that was opened in the prompt is the answer: the first one belongs to the thinking.
 */
export class Followers {
  private readonly lenient: boolean;
  private readonly create: CreateFollower;
  private readonly report: (offset: number) => void;
  private extractor: Extractor;
  /** The offset of the text that the extractor reads. */
  private base: number;
  private scanner: Scanner | undefined;
  /** The start of the document that was found last, until it is scanned. */
  private found: string | undefined;
  private start = 0;
  private rest: Rest | undefined;

  constructor(lenient: boolean, offset: number, create: CreateFollower, report: (offset: number) => void) {
    this.lenient = lenient;
    this.create = create;
    this.report = report;
    this.extractor = new Extractor(lenient);
    this.base = offset;
  }

  /** Reads the next chunk. Returns the place of the answer. */
  read(text: string): Found | undefined {
    this.scanner?.position.enter(text);
    let next: string | undefined = text;
    while (next !== undefined) {
      const answer = this.scanner === undefined ? this.find(this.extractor.find(next)) : undefined;
      if (answer !== undefined) return answer;
      next = this.scan(next);
    }
    return undefined;
  }

  /** The text has ended. */
  end(): Found | undefined {
    return this.scanner === undefined ? this.find(this.extractor.end()) : undefined;
  }

  private find(found: Found | undefined): Found | undefined {
    if (found === undefined || found.whole === true) return undefined;
    const offset = this.base + found.offset;
    if (this.extractor.closedThinking) return { ...found, offset };
    this.report(offset);
    this.scanner = this.create((text, at) => (this.rest = { text, offset: at }));
    this.scanner.position.startAt({ ...found, offset });
    this.found = found.text;
    this.start = offset;
    return undefined;
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
    this.scanner = undefined;
    this.extractor = new Extractor(this.lenient);
    this.base = offset;
  }
}

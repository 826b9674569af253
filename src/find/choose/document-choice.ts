import { Extractor } from "../extract/extractor.js";
import type { Found } from "../../json/extraction.js";
import { isLenient, type JsonParserOptions } from "../../json/options.js";
import { LaterDocuments } from "./later-documents.js";
import { scalarInProse } from "./scalar-in-prose.js";
import { DocumentTrial } from "./document-trial.js";

/**
 * The choice of the document, for streams and for whole texts. `Extractor` finds the first document, `LaterDocuments`
 * those after it, and a `DocumentTrial` reads each with the guard. The first row that applies decides:
 *
 * | a document                   | in a stream              | in a whole text               |
 * | ---------------------------- | ------------------------ | ----------------------------- |
 * | whose start was repaired     | is taken                 | is taken                      |
 * | at the start of the text     | is taken                 | is tried                      |
 * | without a guard              | is taken                 | is taken if it is the last complete one |
 * | whose first expected value begins | is taken            | is read to its end            |
 * | that is valid to its end     | is taken                 | is taken                      |
 * | that the guard refuses       | is an `extra_document`   | is an `extra_document`        |
 *
 * So a wrong document at the start of a stream fails at the first character that no valid one contains, and the model is
 * stopped. In the stream `As {"x": 1}: {"city": "Oslo"}` the schema `{city: string}` refuses the first document at its
 * `}`, and takes the second at the `O`. If none fits, the error is that of the first.
 */
export class DocumentChoice {
  private readonly options: JsonParserOptions;
  private readonly isWhole: boolean;
  /** Finds the first document. */
  readonly extractor: Extractor;
  private trial: DocumentTrial | undefined;
  /** Reads the text from the document on that was refused last, and finds the second one in it. */
  private laterDocuments: LaterDocuments | undefined;
  private second: Found | undefined;
  /** Why the guard refused the first document. */
  private violation: DocumentTrial["violation"];
  /** The first document; without a guard, the last complete one. */
  private last: Found | undefined;

  constructor(options: JsonParserOptions, isWhole: boolean) {
    this.options = options;
    this.isWhole = isWhole;
    this.extractor = new Extractor(isLenient(options), options.openThinking);
  }

  /** Reads the next chunk. Returns the document that fits, or `undefined` if none has begun. */
  find(text: string): Found | undefined {
    return this.read(text, false);
  }

  /**
   * The text has ended. Returns the document that was still undecided, or a scalar.
   *
   * @throws why the guard refused the first document, if no other one fits
   */
  end(): Found | undefined {
    const found = this.read("", true);
    if (found !== undefined) return found;
    if (this.laterDocuments === undefined) return scalarInProse(this.extractor, this.options);
    if (this.violation === undefined) return this.last;
    throw this.violation.error;
  }

  private read(text: string, ended: boolean): Found | undefined {
    for (let rest = text; ;) {
      if (this.trial === undefined) {
        const found = this.next(rest, ended);
        if (found === undefined || this.isTakenAtOnce(found, ended)) return found;
        this.trial = new DocumentTrial(found, this.options, this.isWhole);
        rest = found.text;
      }
      const { trial } = this;
      const fits = trial.read(rest) ?? (ended ? trial.end() : undefined);
      if (fits === undefined) return undefined;
      if (this.takes(trial, fits)) return { ...trial.found, text: trial.text };
      rest = trial.text;
    }
  }

  private next(text: string, ended: boolean): Found | undefined {
    const { extractor, laterDocuments } = this;
    if (laterDocuments === undefined) return ended ? extractor.end() : extractor.find(text);
    laterDocuments.read(text);
    if (ended && this.isWhole && this.second === undefined) laterDocuments.end();
    return this.second;
  }

  private isTakenAtOnce(found: Found, ended: boolean): boolean {
    if (this.isWhole || found.repair !== undefined) return found.repair !== undefined;
    const isFirst = this.laterDocuments === undefined && (ended || !this.extractor.sawProse);
    return isFirst || this.options.guard === undefined;
  }

  /** The trial has ended. Goes on to the next document, unless this one fits. */
  private takes({ found, text, violation }: DocumentTrial, fits: boolean): boolean {
    const { onRepair: _, ...silent } = this.options;
    const isGuarded = this.options.guard !== undefined;
    this.trial = undefined;
    if (fits && isGuarded) return true;
    const isFirst = this.laterDocuments === undefined;
    if (isFirst) this.violation = violation;
    if (isFirst || fits) this.last = { ...found, text };
    this.second = undefined;
    const options = isGuarded ? this.options : silent;
    this.laterDocuments = new LaterDocuments(options, found.offset, found, (second) => {
      this.second = second;
    });
    this.laterDocuments.skip({ ...found, text });
    return false;
  }
}

import { Extractor } from "../extract/extractor.js";
import type { Found } from "../../json/extraction.js";
import { isLenient, type JsonParserOptions } from "../../json/options.js";
import { LaterDocuments } from "./later-documents.js";
import { scalarInProse } from "./scalar-in-prose.js";
import { DocumentTrial } from "./document-trial.js";

/**
 * Finds the document in a text, as `Extractor` does, and among several the one that fits the guard. It withholds a
 * document after prose until the first value that the schema expects has begun. If the guard refuses it before, it
 * reports the document and tries the next one. A document at the start of the text is taken at once, so a wrong one
 * still fails at the first character that no valid document contains.
 */
export class DocumentChoice {
  private readonly options: JsonParserOptions;
  private readonly extractor: Extractor;
  private trial: DocumentTrial | undefined;
  /** Reads the text from the document on that was refused last. */
  private laterDocuments: LaterDocuments | undefined;
  /** Why the guard refused the first document. */
  private violation: DocumentTrial["violation"];

  constructor(options: JsonParserOptions) {
    this.options = options;
    this.extractor = new Extractor(isLenient(options), options.openThinking);
  }

  get refuses(): boolean {
    return this.extractor.refuses;
  }

  get inThinking(): boolean {
    return this.extractor.inThinking;
  }

  /** Reads the next chunk. Returns the document that fits, or `undefined` if none has begun. */
  find(text: string): Found | undefined {
    for (let rest = text; ;) {
      if (this.trial === undefined) {
        const { laterDocuments } = this;
        const found = laterDocuments === undefined ? this.extractor.find(rest) : laterDocuments.next(rest);
        if (found === undefined) return undefined;
        const isFirst = laterDocuments === undefined && !this.extractor.sawProse;
        if (isFirst || found.repair !== undefined || this.options.guard === undefined) return found;
        this.trial = new DocumentTrial(found, this.options);
        rest = found.text;
      }
      const { trial } = this;
      const fits = trial.read(rest);
      if (fits === undefined) return undefined;
      const { found } = trial;
      if (fits) return { ...found, text: trial.text };
      this.violation ??= trial.violation;
      this.laterDocuments = new LaterDocuments(this.options, found.offset, found);
      this.trial = undefined;
      rest = trial.text;
    }
  }

  /**
   * The text has ended. Returns the document that was still undecided, or a scalar.
   *
   * @throws why the guard refused the first document, if no other one fits
   */
  end(): Found | undefined {
    const { trial, laterDocuments, extractor, violation, options } = this;
    if (trial !== undefined) return { ...trial.found, text: trial.text };
    if (laterDocuments === undefined) return extractor.end() ?? scalarInProse(extractor, options);
    laterDocuments.end();
    throw violation?.error;
  }
}

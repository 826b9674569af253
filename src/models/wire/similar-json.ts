import { fill, type JsonTemplate, type Parsed, templateOf } from "./json-template.js";

/**
 * `JSON.parse` for texts of which each is much like the one before: the events of a stream say the same id, model and
 * names each time, and differ in a few characters of text. What was parsed once is not parsed again.
 */
export class SimilarJson {
  private template: JsonTemplate | undefined;
  private last: Parsed | undefined;
  /** Looking for what two texts have in common takes time, and has to pay. */
  private credit = mostCredit;
  private readonly fleeting: ReadonlySet<string> | undefined;

  /** @param fleeting the members whose values, be they objects or arrays, nobody keeps until the next text is parsed */
  constructor(fleeting?: ReadonlySet<string>) {
    this.fleeting = fleeting;
  }

  /**
   * The value of the text; it may share what has not changed with those before, and what is fleeting, as is the document itself
   * where there is such, may be changed by the next.
   *
   * @throws {SyntaxError} as `JSON.parse` does
   */
  parse(text: string): unknown {
    if (this.template !== undefined) {
      const value = fill(this.template, text);
      if (value !== undefined) {
        if (this.credit < mostCredit) this.credit++;
        return value;
      }
    }
    const value: unknown = JSON.parse(text);
    if (this.credit > 0) {
      this.credit--;
      const { last } = this;
      this.last = { text, value };
      this.template = (last && templateOf(last, this.last, this.fleeting)) ?? this.template;
    }
    return value;
  }
}

const mostCredit = 16;

import { Allow } from "../allow.js";
import { Kind, kindsAtStart } from "../build/kinds.js";
import type { JsonListener } from "../handler.js";
import { OpenLiteral } from "./literal.js";
import { OpenNumber } from "./number.js";

/**
 * The open number or literal of a scanner, which tells the handler at the end of each chunk what it is so far.
 *
 * With `allow: Allow.NUM`, the chunks `[12.` and `5` give `begin(Kind.NUMBER)` and `show(12)`, and then the same and
 * `show(12.5)`. Without it, `show()` is not called. The scanner calls `leaf(12.5)` when the number has ended.
 */
export class OpenScalar {
  readonly number: OpenNumber = new OpenNumber();
  readonly literal: OpenLiteral = new OpenLiteral();
  private readonly handler: JsonListener;
  private readonly allow: number;
  /** May it turn out to be a string without quotes: `12 kg`? */
  private readonly repairs: boolean;

  constructor(handler: JsonListener, allow: number, repairs: boolean) {
    this.handler = handler;
    this.allow = allow;
    this.repairs = repairs;
  }

  tellNumber(): void {
    const shown = this.allows(Allow.NUM) ? this.number.show() : undefined;
    this.tell(Kind.NUMBER, shown);
  }

  tellLiteral(): void {
    const { kind, value } = this.literal;
    this.tell(kind, this.allows(value === null ? Allow.NULL : Allow.BOOL) ? value : undefined);
  }

  private tell(kind: number, shown: number | boolean | null | undefined): void {
    this.handler.begin(kindsAtStart(kind, this.repairs));
    if (shown !== undefined) this.handler.show(shown);
  }

  private allows(flag: number): boolean {
    return (this.allow & flag) !== 0;
  }
}

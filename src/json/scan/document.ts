import type { JsonParseErrorCode } from "../errors.js";
import type { JsonListener } from "../handler.js";
import { defaultMaxDepth, defaultMaxKeys, type ScannerContext } from "../options.js";
import { Nesting } from "./nesting.js";
import { Position } from "./position.js";
import type { Mistake } from "./rejection.js";
import type { ShortCuts } from "./short-cuts.js";
import { AFTER_KEY, AFTER_VALUE, DONE, FIRST_ELEMENT, FIRST_KEY, isInValue, VALUE } from "./states.js";

/**
 * The document that the strict scanner reads: its state, its open containers, and its limits. The scanner calls it with
 * each token that is complete, and it calls the handler and moves on to the next state between tokens.
 *
 * For `[1, {"a"` the scanner calls `open()`, `leaf(1)`, `open()` and `key("a")`. The state is FIRST_ELEMENT after the first
 * call, and then AFTER_VALUE, FIRST_KEY and AFTER_KEY.
 */
export class Document {
  state: number = VALUE;
  readonly position: Position = new Position();
  readonly nesting: Nesting = new Nesting();
  readonly handler: JsonListener;
  readonly fast: ShortCuts | undefined;
  /** Is the open string a key? */
  inKey = false;
  private readonly maxDepth: number;
  private readonly maxKeys: number;

  constructor({ options, builder, handler }: ScannerContext) {
    const { nesting, position } = this;
    this.handler = handler;
    this.maxDepth = options.maxDepth ?? defaultMaxDepth;
    this.maxKeys = options.maxKeys ?? defaultMaxKeys;
    this.fast = options.fast?.({ options, builder, nesting, position, afterString: "" });
  }

  open(isArray: boolean, i: number): void {
    const { nesting, maxDepth } = this;
    if (nesting.depth >= maxDepth) {
      const problem = `The value is nested deeper than maxDepth (${maxDepth})`;
      throw this.fail("max_depth", problem, i, "a scalar or the end");
    }
    this.handler.open(isArray);
    nesting.open(isArray);
    this.fast?.open(isArray);
    this.state = isArray ? FIRST_ELEMENT : FIRST_KEY;
  }

  close(i: number): void {
    this.fast?.close(i);
    this.nesting.close();
    this.handler.close();
    this.afterValue();
  }

  /** Before another key. */
  checkKeys(i: number): void {
    if (!this.hasAllKeys()) return;
    const problem = `An object has more keys than maxKeys (${this.maxKeys})`;
    throw this.fail("max_keys", problem, i, "the end of the object");
  }

  /** Has the innermost object as many keys as it may have? Repeated ones count once. */
  hasAllKeys(): boolean {
    return this.nesting.children >= this.maxKeys && this.handler.hasKeys(this.maxKeys);
  }

  key(key: string): void {
    this.inKey = false;
    this.nesting.children++;
    this.handler.key(key);
    this.state = AFTER_KEY;
  }

  /** A string has ended; `rest` is the part of it that the handler does not know. */
  string(rest: string): void {
    this.handler.text(rest, true);
    this.afterScalar();
  }

  leaf(value: number | boolean | null): void {
    this.handler.leaf(value);
    this.afterScalar();
  }

  private afterScalar(): void {
    if (this.nesting.inArray) this.nesting.children++;
    this.afterValue();
  }

  afterValue(): void {
    this.state = this.nesting.depth === 0 ? DONE : AFTER_VALUE;
  }

  fail(code: JsonParseErrorCode, problem: string, i: number, expected: string): Mistake {
    const { state, handler } = this;
    return this.position.mistake(code, problem, i, () => ({
      expected,
      pointer: handler.pointer(isInValue(state) && !this.inKey),
      value: handler.snapshot(),
    }));
  }
}

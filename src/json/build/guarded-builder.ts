import { Builder } from "./builder.js";
import type { JsonGuard, JsonPlace, JsonWatch } from "../guard.js";
import { Kind } from "./kinds.js";
import type { JsonParserOptions } from "../options.js";
import type { JsonValue } from "../value.js";

/** The guarded builder is a separate class, so parsers without a guard have no extra cost. */
export function createBuilder({ append = false, onComplete, guard }: JsonParserOptions): Builder {
  return guard === undefined
    ? new Builder(append, onComplete)
    : new GuardedBuilder(append, onComplete, guard);
}

/** A builder that calls a guard before each step. */
class GuardedBuilder extends Builder implements JsonPlace {
  private readonly watch: JsonWatch;
  /** Whether the guard has checked the complete leaf. */
  private leafChecked = false;

  constructor(
    append: boolean,
    onComplete: ((pointer: string, value: JsonValue) => void) | undefined,
    guard: JsonGuard,
  ) {
    super(append, onComplete);
    this.watch = guard.watch(this);
  }

  container(): JsonValue {
    return this.top.container;
  }

  override key(key: string): void {
    super.key(key);
    if (this.watch.key(key)) this.reveal();
  }

  override openObject(hidden: boolean): void {
    super.openObject(this.watch.open(Kind.OBJECT, hidden));
  }

  override openArray(hidden: boolean): void {
    super.openArray(this.watch.open(Kind.ARRAY, hidden));
  }

  override close(): void {
    const reveals = this.watch.close();
    super.close();
    if (reveals) this.reveal();
  }

  override beginLeaf(kinds: number): void {
    this.watch.begin(asRepaired(kinds));
  }

  override showLeaf(value: JsonValue, suffix: string): void {
    if (!this.leafChecked && !this.mayShow(value, suffix)) return;
    super.showLeaf(value, suffix);
  }

  override leaf(value: JsonValue, suffix: string): void {
    const reveals = this.watch.leaf(value as string | number | boolean | null);
    this.leafChecked = true;
    super.leaf(value, suffix);
    this.leafChecked = false;
    if (reveals) this.reveal();
  }

  private mayShow(value: JsonValue, suffix: string): boolean {
    if (typeof value === "string") return this.watch.text(value, suffix);
    // `allow` shows incomplete numbers and literals. With repair they may still become strings.
    return this.watch.begin(asRepaired(kindOf(value) | Kind.STRING));
  }
}

/** With repair a word that begins like a number may also be `-Infinity`, which is repaired to null. */
function asRepaired(kinds: number): number {
  const word = Kind.NUMBER | Kind.STRING;
  return (kinds & word) === word ? kinds | Kind.NULL : kinds;
}

function kindOf(value: JsonValue): number {
  if (typeof value === "number") return Kind.NUMBER;
  return value === null ? Kind.NULL : Kind.TRUE | Kind.FALSE;
}

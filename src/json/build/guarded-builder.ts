import { Allow } from "../allow.js";
import { Builder } from "./builder.js";
import type { JsonGuard, JsonPlace, JsonWatch, SettledValue } from "../guard.js";
import { ALL_SHOWN, JsonFrame, type PendingOperation } from "./json-frame.js";
import type { JsonPatchOperation } from "../patch/patch.js";
import { Kind, kindOf } from "./kinds.js";
import { coerces, isLenient, type JsonParserOptions } from "../options.js";
import { highSurrogateAtEnd } from "../scan/characters.js";
import { childPointer } from "../../tree/pointer.js";
import type { JsonArray, JsonValue } from "../value.js";

/** The guarded builder is a separate class, so parsers without a guard have no extra cost. */
export function createBuilder(options: JsonParserOptions): Builder {
  const { onComplete, guard } = options;
  return guard === undefined
    ? new Builder(options, onComplete)
    : new GuardedBuilder(onComplete, guard, options);
}

/** A builder that calls a guard before each step. */
class GuardedBuilder extends Builder implements JsonPlace {
  private readonly watch: JsonWatch;
  /** Whether the guard has checked the complete leaf. */
  private leafChecked = false;
  /** The length of the part of the open string that the guard has seen; -1 for none. */
  private textRead = -1;
  /** The number of open containers around the values that are withheld. NOWHERE without such values. */
  private heldAt = NOWHERE;
  /** The number of values that are withheld. */
  private held = 0;
  /** Whether the values inside a value were not reported before it. */
  private isWhole = false;
  /** Whether the container that ends in the text is left open. */
  private leavesOpen = false;
  /** The open path that is shown, if it ends in containers that have ended in the text. */
  private shownPath: OpenPath | undefined;
  /** Whether the object that begins is the only element of an array. */
  private wraps = false;
  /** Whether that array ends with the object that ends. */
  private closesList = false;
  private readonly repairs: boolean;

  constructor(
    onComplete: ((pointer: string, value: JsonValue) => void) | undefined,
    guard: JsonGuard,
    options: JsonParserOptions,
  ) {
    super(
      options,
      onComplete &&
        ((pointer, value): void => {
          if (this.heldAt !== NOWHERE) return;
          if (this.isWhole) reportInside(pointer, value, onComplete);
          else if (this.closesList) onComplete(`${pointer}/0`, (value as JsonArray)[0] as JsonValue);
          onComplete(pointer, value);
        }),
    );
    const { locale, onCoerce } = options;
    this.repairs = isLenient(options);
    const coercing = coerces(options) ? { locale, report: onCoerce ?? ((): void => {}) } : undefined;
    this.watch = guard.watch(this, coercing);
  }

  container(): JsonValue {
    return this.top.container;
  }

  wrap(): void {
    this.wraps = true;
  }

  hold(): void {
    this.heldAt = this.depth;
    this.held = 0;
  }

  leaveOpen(): void {
    this.leavesOpen = true;
  }

  settle(values: readonly SettledValue[]): void {
    this.heldAt = NOWHERE;
    if (this.shownPath !== undefined) this.enter(this.shownPath);
    this.shownPath = undefined;
    this.putAll(values);
  }

  private putAll(values: readonly SettledValue[]): void {
    for (const each of values) {
      if ("rest" in each) {
        this.putAll(each.rest);
        super.close();
        continue;
      }
      const { key, value } = each;
      if (key !== undefined) this.top.key = key;
      this.attach(value);
      this.isWhole = true;
      this.reportComplete(value);
      this.isWhole = false;
    }
  }

  override snapshot(): JsonValue | undefined {
    return this.shown(() => super.snapshot());
  }

  override takePatch(): JsonPatchOperation[] {
    return this.shown(() => super.takePatch());
  }

  override isComplete(pointer: string): boolean {
    return this.shown(() => super.isComplete(pointer));
  }

  override get openMembers(): number {
    return this.shown(() => super.openMembers);
  }

  override reveal(): void {
    const { hiddenFrom, shownPath } = this;
    super.reveal();
    if (shownPath !== undefined && this.hiddenFrom !== hiddenFrom) shownPath.hiddenFrom = this.hiddenFrom;
  }

  override knowsKey(key: string): boolean | undefined {
    return this.watch.knowsKey?.(key);
  }

  override allowsElement(kind: number): boolean {
    return this.watch.allowsElement?.(kind) ?? true;
  }

  override key(key: string): void {
    this.top.key = key; // its place, for the guard
    super.key(this.watch.key(key));
  }

  override open(isArray: boolean): void {
    const hidden = (this.allow & (isArray ? Allow.ARR : Allow.OBJ)) === 0;
    const hides = this.watch.open(isArray ? Kind.ARRAY : Kind.OBJECT, hidden);
    if (!this.wraps) {
      this.push(isArray ? undefined : {}, isArray ? [] : undefined, hides);
      return;
    }
    this.wraps = false;
    const object = {};
    const list = [object];
    this.push(object, undefined, hides, list);
    this.top.list = list;
  }

  override close(): void {
    this.watch.close();
    if (this.leavesOpen) this.closeInText();
    else {
      this.closesList = this.top.list !== undefined;
      super.close();
      this.closesList = false;
    }
    // A withheld value that has ended is still the current one for the guard.
    if (this.depth === this.heldAt) this.held--;
    this.watch.closed();
    if (this.depth === this.heldAt) this.held++;
  }

  override begin(kinds: number): void {
    this.watch.begin(asRepaired(kinds));
  }

  protected override showLeaf(value: JsonValue, suffix: string): void {
    if (!this.leafChecked && !this.mayShow(value, suffix)) return;
    super.showLeaf(value, suffix);
  }

  protected override endLeaf(value: JsonValue, suffix: string): void {
    const read = this.readLeaf(value);
    this.textRead = -1;
    if (read === undefined) {
      if (this.depth === this.heldAt) this.held++;
      return;
    }
    this.leafChecked = true;
    this.isWhole = true;
    super.endLeaf(read, suffix);
    this.isWhole = false;
    this.leafChecked = false;
  }

  /** The innermost container has ended in the text, but values in it are withheld. */
  private closeInText(): void {
    const { depth, top, delivered, hiddenFrom } = this;
    const from = depth - 1;
    this.leavesOpen = false;
    if (this.shownPath !== undefined) top.key = this.shownPath.key;
    this.shownPath ??= { from, key: "", depth, top, frames: [], delivered, hiddenFrom };
    this.shownPath.from = from;
    this.shownPath.frames.unshift(top);
    this.frames[from] = new JsonFrame();
    this.depth = from;
    this.top = this.frames[from - 1] as JsonFrame;
    this.shownPath.key = this.top.key;
    this.delivered = Math.min(delivered, from);
    const isHidden = hiddenFrom === from;
    if (isHidden) this.hiddenFrom = ALL_SHOWN;
    this.heldAt = from;
    this.held = isHidden ? 1 : 0;
  }

  /** Returns a result for the open path that is shown. */
  private shown<T>(read: () => T): T {
    const { shownPath } = this;
    if (shownPath === undefined) return read();
    const { depth, top, delivered, hiddenFrom } = this;
    const { key } = this.frames[shownPath.from - 1] as JsonFrame;
    const frames = this.enter(shownPath);
    const result = read();
    shownPath.delivered = this.delivered;
    this.enter({ from: shownPath.from, key, depth, top, frames, delivered, hiddenFrom });
    return result;
  }

  /** Makes a path the open one. Returns the frames that it replaces. */
  private enter({ from, key, depth, top, frames, delivered, hiddenFrom }: OpenPath): JsonFrame[] {
    const replaced = this.frames.splice(from, frames.length, ...frames);
    (this.frames[from - 1] as JsonFrame).key = key;
    this.depth = depth;
    this.top = top;
    this.delivered = delivered;
    this.hiddenFrom = hiddenFrom;
    return replaced;
  }

  protected override nextName(): string | number {
    const name = super.nextName();
    return typeof name === "number" && this.depth === this.heldAt ? name + this.held : name;
  }

  protected override attach(value: JsonValue): PendingOperation | undefined {
    if (this.depth !== this.heldAt) return super.attach(value);
    this.held++;
    return undefined;
  }

  protected override replaceLast(value: JsonValue): void {
    if (this.depth !== this.heldAt) super.replaceLast(value);
  }

  /** Asks the guard. An error is about the first character that causes it, so it does not depend on the chunks. */
  private readLeaf(value: JsonValue): JsonValue | undefined {
    const leaf = value as string | number | boolean | null;
    try {
      return this.watch.leaf(leaf);
    } catch {
      if (typeof leaf === "string" && (this.allow & Allow.STR) !== 0) this.showSlowly(leaf);
      else {
        const isShown = this.watch.begin(this.kindsAtStart(leaf)) && (this.allow & allowOf(leaf)) !== 0;
        if (isShown) super.showLeaf(leaf, "");
      }
      return this.watch.leaf(leaf);
    }
  }

  private readText(text: string, suffix: string): boolean {
    try {
      const shown = this.watch.text(text, suffix);
      this.textRead = text.length;
      return shown;
    } catch (error) {
      this.showSlowly(text);
      throw error;
    }
  }

  /** Shows the rest of a string character by character, up to the one that the guard refuses. */
  private showSlowly(text: string): void {
    for (let end = this.textRead + 1; end <= text.length; end++) {
      if (end > maxSlow) end = text.length;
      if (highSurrogateAtEnd(text.slice(0, end)) !== "" && end < text.length) continue;
      const start = Math.max(this.textRead, 0);
      const part = text.slice(0, end);
      const shown = this.watch.text(part, text.slice(start, end));
      if (shown) super.showLeaf(part, text.slice(start, end));
      this.textRead = end;
    }
  }

  private mayShow(value: JsonValue, suffix: string): boolean {
    if (typeof value === "string") return this.readText(value, suffix);
    return this.watch.begin(this.kindsAtStart(value)); // `allow` shows incomplete numbers and literals
  }

  /** The kinds that are possible at the first character of a scalar. With repair it may turn out to be a string. */
  private kindsAtStart(value: JsonValue): number {
    return asRepaired(this.repairs ? kindOf(value) | Kind.STRING : kindOf(value));
  }
}

/** The end of an open path, and the state of the builder that belongs to it. */
interface OpenPath {
  /** The number of containers before the first of the frames. */
  from: number;
  /** The key of the first of them in the container around it. */
  key: string;
  readonly depth: number;
  readonly top: JsonFrame;
  readonly frames: JsonFrame[];
  delivered: number;
  hiddenFrom: number;
}

const NOWHERE = -1;

/** The rest of a longer string is shown at once. */
const maxSlow = 1_000;

/** Reports the values inside a value, inner ones first. Without recursion, because they may be nested deeply. */
function reportInside(
  pointer: string,
  value: JsonValue,
  report: (pointer: string, value: JsonValue) => void,
): void {
  const found: (readonly [pointer: string, value: JsonValue])[] = [];
  const open: typeof found = [[pointer, value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const [place, container] = next;
    if (typeof container !== "object" || container === null) continue;
    for (const [name, part] of Object.entries(container)) open.push([childPointer(place, name), part]);
  }
  for (const [place, part] of found.slice(1).reverse()) report(place, part);
}

/** With repair a word that begins like a number may also be `-Infinity`, which is repaired to null. */
function asRepaired(kinds: number): number {
  const word = Kind.NUMBER | Kind.STRING;
  return (kinds & word) === word ? kinds | Kind.NULL : kinds;
}

/** The flag of `allow` that shows an incomplete scalar like this one. */
function allowOf(value: JsonValue): number {
  if (typeof value === "string") return 0;
  if (typeof value === "number") return Allow.NUM;
  return value === null ? Allow.NULL : Allow.BOOL;
}

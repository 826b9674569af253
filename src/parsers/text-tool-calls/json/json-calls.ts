import { lostMember } from "../../../find/sure-document.js";
import { repair } from "../../../lenient/repair.js";
import { fast } from "../../../json/fast/fast-paths.js";
import { defaultLookAhead } from "../../../json/options.js";
import { DocumentReader } from "../../../json/parser.js";
import { type Rejection, Mistake } from "../../../json/scan/rejection.js";
import { isObject, type JsonValue, valueAt } from "../../../json/value.js";
import { CallOutput } from "../call-output.js";
import type { JsonRepair, JsonRepairKind } from "../../../json/repair.js";
import { MAX_REPAIRS } from "../../../messages/merge/arguments.js";
import type { JsonPatch } from "../../../json/patch/patch.js";
import { type CallContext, type CallReader, maxReadAgain, type TextReading } from "../call-reader.js";
import { pointerTo } from "../../../tree/pointer.js";
import { Guesses } from "./guesses.js";
import { argsKeys, OpenCall } from "./open-call.js";

/** A text that is no call is noticed after this many characters. */
const maxPiece = 256;
/** The length up to the first wrong character of a text that is read again. */
const mostRefused = maxReadAgain + 1;
/** The end of a piece before the value of the arguments. */
const beforeArgs = new RegExp(`(?:${argsKeys.join("|")})[^\\w\\s]?\\s*:$`);
const maxTail = 32;

/**
 * Reads calls from a JSON document, repaired as `jsonParser()` repairs it: one call, an array of calls, or `tool_calls`
 * with an array. A call is `{"name", "arguments"}` in any order, or `{"function": {…}}` around it.
 */
export class JsonCalls implements CallReader {
  private readonly context: CallContext;
  private readonly document = new DocumentReader({
    ...{ repair, fast, append: true },
    onRepair: (found) => {
      this.guesses.addRepair(found);
      this.isTorn ||= this.hasTag && !keptAfterTag.has(found.kind);
      // Keys without quotes are no mistake in a dialect that is nearly JSON.
      const isDialect = this.text !== undefined && found.kind === "unquoted_key";
      if (!isDialect && this.repairs.length < MAX_REPAIRS) this.repairs.push(found);
    },
    onCoerce: (change) => {
      this.guesses.addCoercion(change, this.pieceStart);
    },
  });
  /** The repairs that are not reported yet. */
  private repairs: JsonRepair[] = [];
  private readonly guesses = new Guesses((offset) => this.textFrom(offset));
  /** The name, if it came before the document, which is then the arguments. */
  private readonly name: string | undefined;
  private readonly createText: (() => DialectText) | undefined;
  private readonly text: DialectText | undefined;
  private callIndex = 0;
  private call: OpenCall | undefined;
  /** The document became invalid inside a call. The rest is shown as it is. */
  private broken = false;
  /** Whether a closing tag is in a string, so the call may have been cut there. */
  private hasTag = false;
  /** Whether the document goes on after such a tag only with a repair: it has two readings. */
  private isTorn = false;
  private readonly pieces: string[] = [];
  /** The length of the pieces. */
  private length = 0;
  /** Their last characters. */
  private tail = "";
  /** The length up to the arguments of the call, and up to their end. */
  private argsStart: number | undefined;
  private argsEnd: number | undefined;
  /** Where the call at `callIndex` ended, and the one before it. */
  private ended: CallEnd | undefined;
  private endedBefore: CallEnd | undefined;
  /** The number of pieces when the arguments last grew. */
  private piecesAtGrowth = 0;
  /** The text by which they last grew. */
  private growth = "";
  /** The pointer of the string that grew last. */
  private growing: string | undefined;
  /** The quotes that may close the open string, and what matches one of them or the start of a tag. */
  private closingQuotes = "";
  private notPlain = /</;
  /** The number of characters since the last match. */
  private sinceQuote = 0;

  /** @param createText makes JSON of the text, if it is nearly JSON */
  constructor(context: CallContext, name?: string, createText?: () => DialectText) {
    this.context = context;
    this.name = name;
    this.createText = createText;
    this.text = createText?.();
  }

  read(text: string, isEnd: boolean): TextReading {
    let at = 0;
    while (at < text.length) {
      const closing = this.closingAt(text, at, isEnd);
      if (closing === "undecided") return { state: "open", used: at };
      if (closing) return this.finish(at);
      const next = at + this.lengthOfPiece(text.slice(at, at + this.longestPiece));
      if (!this.write(text.slice(at, next))) return this.refuse(at);
      at = next;
      if (this.document.scanner.done && !this.broken) return this.finish(at);
    }
    return isEnd ? this.finish(at, true) : { state: "open", used: at };
  }

  /**
   * Whether a closing tag is here. One inside a string is followed by more of the string on the same line, or by text
   * that is no other closing tag.
   */
  private closingAt(text: string, at: number, isEnd: boolean): boolean | "undecided" {
    if (text[at] !== "<") return false;
    for (const tag of this.context.closings) {
      if (!text.startsWith(tag, at)) {
        if (!isEnd && tag.startsWith(text.slice(at))) return "undecided";
        continue;
      }
      const next = text.slice(at + tag.length, at + tag.length + 2);
      if (next === "" || next === "<") return isEnd || "undecided";
      if (!/^[\r\n]|^<[|｜]/.test(next)) continue;
      if (!this.hasTag && (this.broken || !this.document.scanner.inString)) return true;
      const isLast = this.isLast(text, at, isEnd);
      this.hasTag ||= isLast === false;
      return isLast;
    }
    return false;
  }

  /** Whether nothing but white space and closing tags follows. */
  private isLast(text: string, from: number, isEnd: boolean): boolean | "undecided" {
    const { closings } = this.context;
    const rest = text.slice(from, from + maxTags);
    let at = 0;
    for (let tag: string | undefined = ""; tag !== undefined;) {
      at += tag.length;
      at += rest.slice(at).length - rest.slice(at).trimStart().length;
      tag = closings.find((it) => rest.startsWith(it, at));
    }
    if (rest.length === maxTags) return false;
    if (at === rest.length) return isEnd || "undecided";
    return !isEnd && closings.some((tag) => tag.startsWith(rest.slice(at))) ? "undecided" : false;
  }

  /** Returns false if the text is not a call. */
  private write(piece: string): boolean {
    if (this.broken) {
      if (this.call?.begun === true) this.context.output.add({ args: piece });
      this.pieces.push(piece);
      return true;
    }
    const isValid = this.parse(piece) && !this.isTorn;
    return this.follow() && (isValid || this.fail(false));
  }

  /** @param isCut whether the text ends here, without a closing tag */
  private finish(used: number, isCut = false): TextReading {
    if (!this.broken) {
      // Arguments that the repair would close are only a part of those that the model meant.
      const isOpen = isCut && !this.context.stoppedEarly && this.call?.args?.isOpen !== false;
      const isValid = !isOpen && this.end() && !this.isTorn;
      if (!this.follow() || this.call?.begun !== true) return this.leave(used, Infinity);
      if (!isValid) this.fail(true);
      else this.judge(this.call, Infinity);
    }
    if (this.call?.begun !== true) return this.leave(used, Infinity);
    if (this.broken || this.call.isInvalid) this.addRaw();
    return { state: "done", used };
  }

  /** Leaves the document at the first character that is no call. It is in the last piece, which begins at `at`. */
  private refuse(at: number): TextReading {
    const { context, endedBefore, length: held } = this;
    // The finder reads it again from its second character on, so the place does not matter.
    if (context.isBare && held <= mostRefused && endedBefore === undefined)
      return { state: "none", used: at };
    const last = this.pieces.length - 1;
    const length = lengthOf(this.readAgain(last).pieces) - 1;
    return this.leave(at + length - lengthOf(this.pieces.slice(0, last)), length);
  }

  /** The rest of the document, which has this length, is no call. */
  private leave(used: number, length: number): TextReading {
    if (this.endedBefore === undefined) return { state: "none", used };
    // The last call may have ended in the middle of a piece.
    const again = this.readAgain(this.endedBefore.pieces - 1);
    if (again.callIndex < this.callIndex) {
      again.end();
      again.follow();
    }
    const { pieces, byNext } = again.endedBefore ?? this.endedBefore;
    const end = lengthOf(again.pieces.slice(0, byNext ? pieces - 1 : pieces));
    return { state: "done", used, unread: this.pieces.join("").slice(end, length) };
  }

  /**
   * Reports the repairs of a call that ends at this length. A tool does not run on one that may be a guess, or on a call
   * with another reading.
   */
  private judge(call: OpenCall, end: number): void {
    const repairs = this.repairs.filter(({ offset }) => offset < end);
    if (repairs.length > 0) this.context.output.add({ repairs });
    this.repairs = this.repairs.slice(repairs.length);
    const root = this.document.builder.value as JsonValue;
    const value = valueAt(root, this.pathOf(root, this.callIndex) ?? []);
    if (value === undefined) return;
    const refusal =
      this.guesses.take(end) ??
      call.otherReadingOf(value) ??
      lostMember(call.args?.value, repairs, call.parameters);
    if (refusal !== undefined) call.refuse(refusal);
  }

  /** The last of the text, from an offset on. */
  private textFrom(offset: number): string {
    const { pieces } = this;
    let index = pieces.length;
    let start = this.length;
    while (index > 0 && start > offset) start -= (pieces[--index] as string).length;
    return pieces
      .slice(index)
      .join("")
      .slice(Math.max(offset - start, 0));
  }

  private markArgs(call: OpenCall): void {
    if (call.args?.hasEnded === true) this.argsEnd ??= this.length;
    else if (this.name === undefined && beforeArgs.test(this.tail)) this.argsStart ??= this.length;
  }

  /** The call that began last is invalid. */
  private addRaw(): void {
    const isLast = this.broken || this.call?.args?.isRepeated === true;
    // The text after a string decides whether its quote ended it.
    const isExact = this.argsStart !== undefined && this.call?.args?.isText === false;
    const argsEnd = isExact ? this.argsEnd : undefined;
    const end = isLast ? undefined : (argsEnd ?? this.ended?.length);
    const error = this.isTorn ? tornReason : this.call?.refusal;
    const raw = this.pieces.join("").slice(this.argsStart, end).trimStart();
    this.context.output.add({ raw, ...(error === undefined ? undefined : { error }) });
  }

  /** Where the text of the call at `callIndex` ends: after it, or after the brace of the next one if that ended it. */
  private get endOfCall(): number {
    const { ended } = this;
    if (ended === undefined) return Infinity;
    const brace = ended.byNext ? (this.pieces.at(-1)?.indexOf("{") ?? -1) : -1;
    return brace < 0 ? ended.length : this.pieceStart + brace + 1;
  }

  /** Where the last piece begins. */
  private get pieceStart(): number {
    return this.length - (this.pieces.at(-1)?.length ?? 0);
  }

  private parse(piece: string): boolean {
    this.pieces.push(piece);
    this.length += piece.length;
    this.tail = (this.tail + piece).slice(-maxTail);
    const isValid = succeeds(this.document.write(this.text?.(piece) ?? piece));
    this.countPlain(piece);
    return isValid;
  }

  private countPlain(piece: string): void {
    const { closingQuotes = '"' } = this.document.scanner;
    if (closingQuotes !== this.closingQuotes) {
      this.closingQuotes = closingQuotes;
      this.notPlain = new RegExp(`[<${closingQuotes}]`);
      this.sinceQuote = 0;
    } else this.sinceQuote = this.notPlain.test(piece) ? 0 : this.sinceQuote + piece.length;
  }

  private end(): boolean {
    return succeeds(this.document.end(this.context.stoppedEarly));
  }

  /** Shows the text since the arguments last grew. Returns false if no call has begun, and none may be hidden in it. */
  private fail(atEnd: boolean): boolean {
    const hasBegun = this.call?.begun === true;
    this.broken = hasBegun || this.isTorn;
    if (!hasBegun) return this.broken;
    const text = this.pieces.join("");
    this.context.output.add({ args: text.slice(this.shownLength(atEnd)) });
    if (atEnd && this.call?.args?.isOpen === false) this.call.refuse(cutReason);
    return true;
  }

  /** The arguments may have grown in the middle of a piece. */
  private shownLength(atEnd: boolean): number {
    const again = this.readAgain(Math.max(this.piecesAtGrowth - 1, 0));
    if (atEnd) {
      again.end();
      again.follow();
    }
    const shown = again.pieces.slice(0, again.piecesAtGrowth).join("");
    let { length } = shown;
    // The text after a number shows where it ends, and is no part of it.
    if (/\d$/.test(again.growth)) while (length > 0 && !/\d/.test(shown.charAt(length - 1))) length--;
    return length;
  }

  /** Reads the pieces again, the one at `index` one character at a time, up to the first character that is wrong. */
  private readAgain(index: number): JsonCalls {
    const again = new JsonCalls(
      { ...this.context, output: new CallOutput(() => "") },
      this.name,
      this.createText,
    );
    for (const piece of this.pieces.flatMap((it, i) => (i === index ? Array.from(it) : it))) {
      const isValid = again.parse(piece);
      if (!again.follow() || !isValid) break;
    }
    return again;
  }

  /** Reports how the document has changed. Returns false if it has no calls. */
  private follow(): boolean {
    const { builder } = this.document;
    const patch = builder.takePatch();
    if (this.isInSameString(patch)) {
      this.grow(this.call?.grow(patch) ?? "");
      return true;
    }
    const root = builder.value;
    if (typeof root !== "object" || root === null) return root === undefined;
    for (;;) {
      const base = this.pathOf(root, this.callIndex);
      const value = base && valueAt(root, base);
      if (base === undefined || value === undefined) return true;
      this.call ??= new OpenCall(this.context, this.document, this.name);
      const growth = this.call.follow(base, value, patch);
      if (growth === undefined) return this.call.begun;
      this.grow(growth);
      const hasAfter = this.hasAfter(root);
      if (this.ended === undefined && builder.isComplete(pointerTo(base))) {
        this.ended = { pieces: this.pieces.length, length: this.length, byNext: hasAfter };
      }
      if (!this.call.begun || !hasAfter) return true;
      this.judge(this.call, this.endOfCall);
      if (this.call.isInvalid) this.addRaw();
      this.argsStart = this.argsEnd = undefined;
      this.callIndex++;
      this.endedBefore = this.ended;
      this.ended = undefined;
      this.call = undefined;
    }
  }

  /** Most pieces only continue a string, so nothing else can have begun or ended. */
  private isInSameString(patch: JsonPatch): boolean {
    const last = patch.at(-1);
    if (last !== undefined) this.growing = typeof last.value === "string" ? last.path : undefined;
    if (this.growing !== undefined && this.document.builder.isComplete(this.growing))
      this.growing = undefined;
    return this.growing !== undefined && (last === undefined || (patch.length === 1 && last.op === "append"));
  }

  /** A piece ends where a refusal no longer lets the text be read again, so none is read twice to find the place. */
  private get longestPiece(): number {
    const rest = mostRefused - this.length;
    return rest > 0 ? rest : maxPiece;
  }

  private lengthOfPiece(text: string): number {
    // The next character tells whether a number has ended: in a longer piece, that place would depend on the chunks.
    if (this.argsStart !== undefined && this.argsEnd === undefined && this.call?.args?.hasBegun !== true)
      return 1;
    // Only its own quote ends a string, and the parser has decided about the last one.
    const isPlain =
      this.growing !== undefined && this.sinceQuote > defaultLookAhead && this.document.scanner.inString;
    const length = isPlain ? text.search(this.notPlain) : 0;
    const end = length === 0 ? text.search(pieceEnd) : length;
    return end < 0 ? text.length : end;
  }

  private grow(growth: string): void {
    if (growth !== "") {
      this.piecesAtGrowth = this.pieces.length;
      this.growth = growth;
    }
    if (this.call !== undefined) this.markArgs(this.call);
  }

  private pathOf(root: JsonValue, index: number): readonly string[] | undefined {
    if (this.name !== undefined) return [];
    if (Array.isArray(root)) return [String(index)];
    if (!isObject(root) || !("tool_calls" in root)) return [];
    return ["tool_calls", String(index)];
  }

  private hasAfter(root: JsonValue): boolean {
    const path = this.pathOf(root, this.callIndex + 1);
    return path !== undefined && path.length > 0 && valueAt(root, path) !== undefined;
  }
}

/** The maximum length of the closing tags at the end of the text. */
const maxTags = 256;
/** The repairs after a closing tag in a string that do not change where strings end. */
const keptAfterTag: ReadonlySet<JsonRepairKind> = new Set(["control_character", "escape", "quote"]);
const tornReason =
  "A string in the arguments has a closing tag of the call in it, and does not end as in JSON. Write the arguments as valid JSON.";
const cutReason = "The text ends inside the call.";

/** Makes JSON of a text, in any pieces. */
export type DialectText = (piece: string) => string;

interface CallEnd {
  /** The number of pieces read by then. */
  readonly pieces: number;
  /** Their length. */
  readonly length: number;
  /** Whether the next value had begun by then, so it is what ended the call. */
  readonly byNext: boolean;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function succeeds(failure: Rejection | undefined): boolean {
  if (failure !== undefined && !(failure instanceof Mistake)) throw failure.error;
  return failure === undefined;
}

/**
 * Where a piece ends: a document ends at a bracket or, repaired, at the end of a line, and a tag begins with "<". A value
 * begins after a colon. Without a cut there, the second value of a repeated key would hide the first.
 */
const pieceEnd = /(?<=[}\]):\n])|(?<!^)(?=<)/;

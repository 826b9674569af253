import { type CallContext, maxReadAgain } from "./call-reader.js";
import { type CallNames, maxName } from "./call-names.js";
import type { CallOutput } from "./call-output.js";
import { CallPlace } from "./place/call-place.js";
import { type CallMarker, type DialectRules, otherTurns, turnsAfterCall } from "./dialects.js";
import { JsonCalls } from "./json/json-calls.js";
import { MarkedCall } from "./marked-call.js";
import { type AfterCall, type Fork, isInSpan, type OpenReader, openReader } from "./open-reader.js";
import { PythonCalls } from "./python/python-calls.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import { thinkingForms } from "../../text/around/thinking-forms.js";

/** The maximum length of text that is withheld because it may become a call. */
const maxHeld = 65_536;
/** The maximum length of the text that a reader leaves for later, such as a name. */
const maxUnread = 10_000;

/** A character at which a call or thinking may begin. */
const callStart =
  /[<[{◁]|(?<=(?:[\n:]|[|?]>)[ \t*]{0,20}(?:(?:print\(|return |await |\w{1,30} ?= ?)[ \t]{0,5})?)[A-Za-z_]/g;

/** The readers of calls without a marker. */
const bareReaders = { json: JsonCalls, python: PythonCalls, named: MarkedCall };

/** Finds calls in a text that arrives in pieces, and reports them and the text around them. */
export class CallFinder {
  private readonly output: CallOutput;
  private readonly names: CallNames;
  private rules: DialectRules;
  private rest = "";
  private readonly place = new CallPlace();
  private open: OpenReader | undefined;
  /** After a call: what may follow it directly. */
  private after: AfterCall | undefined;
  private thinking: ThinkingEnd | undefined;
  private hasText = false;

  constructor(output: CallOutput, names: CallNames, rules: DialectRules, openThinking: boolean) {
    this.output = output;
    this.names = names;
    this.rules = rules;
    if (openThinking) this.thinking = new ThinkingEnd(thinkingForms);
  }

  /** The reasoning is apart from the text, so the text does not begin in it. */
  onReasoning(): void {
    if (!this.hasText) this.thinking = undefined;
  }

  write(text: string): void {
    this.hasText ||= text.trim() !== "";
    this.rest += text;
    this.read(false, false);
  }

  end(stoppedEarly: boolean): void {
    this.read(true, stoppedEarly);
    if (this.after !== undefined) this.settle(this.after, true);
    this.output.release();
  }

  private read(isEnd: boolean, stoppedEarly: boolean): void {
    while (this.rest !== "" || (isEnd && this.open !== undefined)) {
      const progressed =
        this.open === undefined ? this.readText(isEnd) : this.readCall(this.open, isEnd, stoppedEarly);
      if (!progressed) return;
    }
  }

  /** Returns whether to continue. */
  private readCall(open: OpenReader, isEnd: boolean, stoppedEarly: boolean): boolean {
    const { rest } = this;
    const { held } = open;
    const { output } = open.context;
    const calls = output.callCount;
    open.context.stoppedEarly = stoppedEarly;
    let { state, used, unread = "" } = open.reader.read(rest, isEnd);
    if (state === "open" && rest.length - used > maxUnread) {
      const before = used;
      ({ state, used, unread = "" } = open.reader.read(rest.slice(before), true));
      used += before;
    }
    const read = rest.slice(0, used);
    open.read += used;
    // Text that a reader gives back whole would be read again for ever.
    const isProgress = unread.length < open.read;
    if (!isProgress) this.show(unread);
    this.rest = (isProgress ? unread : "") + rest.slice(used);
    open.hasBegun ||= output.callCount > calls;
    this.hold(open, read, isProgress ? unread.length : 0);
    if (state === "open" && open.held.length - open.before <= maxHeld) return false;
    this.open = undefined;
    if (!open.hasBegun) {
      // Nothing was read: the first character is text, and a call may begin after it.
      const isShort = open.held === "" || (open.context.isBare && open.held.length <= maxReadAgain);
      const text = held + rest;
      if (isShort) this.rest = text.slice(1);
      this.show(isShort ? text.slice(0, 1) : open.held);
      return true;
    }
    this.follow(open);
    return true;
  }

  /** The calls of a reader have ended. */
  private follow({ context, fork, held, isSettled }: OpenReader): void {
    const isExample = fork?.isExample === true;
    if (isExample) this.show(held);
    this.place.startLine();
    this.after = {
      ...{ isNewLine: false, isClosed: false, space: "", wasCall: true, held: isExample ? "" : held },
      // The next call after the marker is no longer one of the fork.
      ...(isSettled ? { context: { ...context, output: this.output }, fork: undefined } : { context, fork }),
    };
    if (fork === undefined) this.narrow(context);
    if (context.isLast) this.rules = { ...this.rules, bare: [] };
  }

  /** Keeps the text of what may not be a call. */
  private hold(open: OpenReader, read: string, unread: number): void {
    const { fork } = open;
    if (open.hasBegun && fork === undefined) open.held = "";
    else {
      const text = open.held + read;
      open.held = text.slice(0, text.length - unread);
    }
    if (fork === undefined || !open.hasBegun) return;
    if (fork.isExample) fork.output.take();
    if (open.held.length > maxHeld && fork.isExample) {
      // The reader may give back the last of it.
      this.show(open.held.slice(0, -2 * maxUnread));
      open.held = open.held.slice(-2 * maxUnread);
    } else if (open.held.length > maxHeld) {
      // Too long for a mention.
      open.held = "";
      open.isSettled = true;
    }
    if (open.isSettled) this.join(fork, open.context);
  }

  private join(fork: Fork, context: CallContext): void {
    this.output.join(fork.output);
    this.narrow(context);
  }

  /** The first call decides whether calls have markers. */
  private narrow({ isBare }: CallContext): void {
    if (this.rules.isAuto !== true) return;
    this.rules = isBare ? { ...this.rules, markers: [] } : { ...this.rules, bare: [] };
  }

  private readText(isEnd: boolean): boolean {
    if (this.after !== undefined) return this.readAfter(this.after, isEnd);
    if (this.thinking !== undefined) return this.readThinking(this.thinking);
    const { before } = this.place;
    const text = before + this.rest.slice(0, maxUnread);
    let placed = before.length;
    callStart.lastIndex = placed;
    for (let match = callStart.exec(text); match !== null; match = callStart.exec(text)) {
      this.place.write(text.slice(placed, match.index));
      placed = match.index;
      const at = match.index - before.length;
      const found = this.findAt(at, isEnd);
      if (found === undefined) continue;
      this.output.addText(this.rest.slice(0, at));
      this.rest = this.rest.slice(at);
      if (found === "undecided") return false;
      if (found instanceof ThinkingEnd) {
        this.thinking = found;
        return true;
      }
      this.open = found;
      this.rest = this.rest.slice(found.held.length);
      return this.rest !== "" || isEnd;
    }
    this.place.write(text.slice(placed));
    this.output.addText(text.slice(before.length));
    this.rest = this.rest.slice(maxUnread);
    return this.rest !== "";
  }

  private readThinking(thinking: ThinkingEnd): boolean {
    const end = thinking.read(this.rest, 0);
    const length = end < 0 ? this.rest.length : end;
    this.output.addText(this.rest.slice(0, length));
    this.rest = this.rest.slice(length);
    if (end < 0) return false;
    this.thinking = undefined;
    this.place.startLine();
    return true;
  }

  /** After a call: its closing tag, the next call, or text. */
  private readAfter(after: AfterCall, isEnd: boolean): boolean {
    const { context } = after;
    const { isBare } = context;
    this.takeSpace(after);
    if (after.isNewLine && (after.isClosed || isBare) && this.isOnlyInLine(after)) this.settle(after, true);
    if (this.rest === "") return false;
    if (this.takeClosing(after)) return true;
    if (!isEnd && context.closings.some((tag) => tag.startsWith(this.rest))) return false;
    const separator = /^[;,]\s*/.exec(this.rest)?.[0] ?? "";
    if (separator.length === this.rest.length && !isEnd && separator.length < maxName) return false;
    const next = isBare
      ? this.nextBare(separator, after.isNewLine, isEnd)
      : this.nextMarked(separator, after, isEnd);
    const found = next ?? this.markedAfter(isEnd);
    if (found === "undecided") return false;
    if (found === undefined) return this.endGroup(after, isEnd);
    this.after = undefined;
    const written = (next === undefined ? "" : separator) + found.held;
    this.rest = this.rest.slice(written.length);
    // Text after the next call decides about both.
    if (after.fork !== undefined) {
      found.held = after.held + written;
      found.before = after.held.length;
    }
    this.open = found;
    return true;
  }

  /** Whether the calls are a mention only if more text follows on their line. */
  private isOnlyInLine({ fork }: AfterCall): boolean {
    return fork !== undefined && !fork.isExample && fork.span === 0;
  }

  /** Text follows the calls. Returns false if only more text can tell whether they are one. */
  private endGroup(after: AfterCall, isEnd: boolean): boolean {
    const isSpan = isInSpan(after, this.rest, isEnd);
    if (isSpan === "undecided") return false;
    this.after = undefined;
    this.settle(after, !isSpan && (after.isNewLine || after.fork?.isInLine === false));
    if (after.context.isBare && after.wasCall) this.rules = { ...this.rules, bare: [] };
    return true;
  }

  /** A call with a marker of its own. */
  private markedAfter(isEnd: boolean): OpenReader | "undecided" | undefined {
    const marker = this.markerOf(this.rest, isEnd);
    return marker === undefined || marker === "undecided" ? marker : this.openMarked(marker);
  }

  private takeSpace(after: AfterCall): void {
    const rest = this.rest.trimStart();
    const space = this.rest.slice(0, this.rest.length - rest.length);
    this.rest = rest;
    after.isNewLine ||= space.includes("\n");
    if (after.fork === undefined) this.output.addText(space);
    else {
      after.held += space;
      after.space += space;
    }
  }

  private takeClosing(after: AfterCall): boolean {
    const closing = after.context.closings.find((tag) => this.rest.startsWith(tag));
    // The fence of a call ends before its tags. One after them is of the text.
    if (closing === undefined || (closing === "```" && after.isClosed)) return false;
    after.held += closing;
    after.space = "";
    if (otherTurns.includes(closing)) this.endCalls();
    // A closing tag ends the line of its call, on which a sentence may continue.
    if (after.fork !== undefined) after.isNewLine = false;
    this.rest = this.rest.slice(closing.length);
    after.isClosed = true;
    return true;
  }

  /** Decides whether a call in the middle of a line was one, or is a part of a sentence. */
  private settle(after: AfterCall, isCall: boolean): void {
    const { fork } = after;
    if (fork === undefined) return;
    after.wasCall = isCall && !fork.isExample;
    if (after.wasCall) {
      this.join(fork, after.context);
      this.output.addText(after.space);
    } else this.show(after.held);
    after.fork = undefined;
  }

  /** Another document after the same marker. */
  private nextMarked(
    separator: string,
    { context, fork, isNewLine, isClosed }: AfterCall,
    isEnd: boolean,
  ): OpenReader | "undecided" | undefined {
    if (isClosed) return undefined;
    const rest = this.rest.slice(separator.length);
    const isPython = isNewLine && this.callsTool(rest, isEnd);
    if (isPython === "undecided") return isPython;
    if (!isPython && !/^[{[]/.test(rest)) return undefined;
    const marker = this.markerOf(rest, isEnd);
    if (marker !== undefined) return marker === "undecided" ? marker : undefined;
    return openReader(new MarkedCall(context), context, "", fork);
  }

  /** Whether a call of a tool begins here: `name(`. */
  private callsTool(rest: string, isEnd: boolean): boolean | "undecided" {
    const name = /^[A-Za-z_][\w.\\]*/.exec(rest)?.[0] ?? "";
    if (name === "" || !this.names.areKnown) return false;
    if (name.length === rest.length) return !isEnd && this.names.mayBegin(name) && "undecided";
    return rest.charAt(name.length) === "(" && this.names.find(name) !== undefined;
  }

  /** Calls without a marker are one group. What the model writes after it is text. */
  private nextBare(
    separator: string,
    isNewLine: boolean,
    isEnd: boolean,
  ): OpenReader | "undecided" | undefined {
    if (separator === "" && !isNewLine) return undefined;
    const found = this.findAt(separator.length, isEnd);
    return found instanceof ThinkingEnd ? undefined : found;
  }

  /** The call or thinking at an index of the rest. `place` has the text before it. */
  private findAt(at: number, isEnd: boolean): OpenReader | ThinkingEnd | "undecided" | undefined {
    const rest = this.rest.slice(at, at + maxName + 1);
    const { place } = this;
    if (place.isInvented) this.endCalls();
    if (/^[<[◁]/.test(rest)) {
      const turn = this.turnAt(rest, isEnd);
      if (turn === "undecided") return turn;
      if (turn) this.endCalls();
      // A marker may begin like thinking.
      const marker = this.markerOf(rest, isEnd);
      if (marker === "undecided") return marker;
      if (marker !== undefined) return this.openMarked(marker);
      const form = place.isMention ? undefined : thinkingAt(rest, 0, isEnd);
      if (form === "undecided") return form;
      // A draft in the outer thinking must not run.
      if (form !== undefined) return new ThinkingEnd([form], form.close.startsWith("</"));
      if (!rest.startsWith("[")) return undefined;
    }
    const { rules } = this;
    if (rules.bare.length === 0 || !place.allowsBare(rest.charAt(0), rules)) return undefined;
    return rest.startsWith("{") || rest.startsWith("[")
      ? this.bracketAt(rest, isEnd)
      : this.nameAt(rest, isEnd);
  }

  /** Whether a turn of somebody else begins here. */
  private turnAt(rest: string, isEnd: boolean): boolean | "undecided" {
    const starts = this.output.callCount > 0 && this.place.startsLine ? turnsAfterCall : otherTurns;
    if (starts.some((it) => rest.startsWith(it))) return !this.place.isMention;
    return !isEnd && starts.some((it) => it.startsWith(rest)) && "undecided";
  }

  /** The rest of the answer is text. */
  private endCalls(): void {
    this.rules = { ...this.rules, markers: [], bare: [] };
  }

  /** The calls after a marker, unless it is quoted. */
  private openMarked(marker: CallMarker): OpenReader | undefined {
    const { place } = this;
    if (place.isRefused(marker, this.rules)) {
      place.refuseMarker();
      return undefined;
    }
    const { open, closings, isCall = false } = marker;
    const fork = this.forkUnless(place.startsLine || place.endsSentence);
    const context = this.createContext(false, closings, fork);
    return openReader(new MarkedCall(context), context, isCall ? "" : open, fork);
  }

  /** The marker with which a text begins; "undecided" if only more text can tell. */
  private markerOf(text: string, isEnd: boolean): CallMarker | "undecided" | undefined {
    const { markers } = this.rules;
    const found = markers.find(({ open }) => text.startsWith(open));
    const mayFollow = !isEnd && found === undefined && markers.some(({ open }) => open.startsWith(text));
    return mayFollow ? "undecided" : found;
  }

  private bracketAt(rest: string, isEnd: boolean): OpenReader | "undecided" | undefined {
    const next = /^(?:\{|\[[\s[(]*)\s*([^\s[(])/.exec(rest)?.[1];
    if (next === undefined) return isEnd || rest.length > maxName ? undefined : "undecided";
    return this.openBare(rest.startsWith("[") && /[A-Za-z_`"']/.test(next) ? "python" : "json");
  }

  /** `f(a=1)`, or a name on its own line before JSON. */
  private nameAt(rest: string, isEnd: boolean): OpenReader | "undecided" | undefined {
    const name = /^[A-Za-z_][\w.\\]*/.exec(rest)?.[0] ?? "";
    const after = rest.slice(name.length);
    if (!this.names.areKnown && this.rules.isAuto === true) return undefined;
    if (after === "") return isEnd || !this.names.mayBegin(name) ? undefined : "undecided";
    if (this.names.areKnown && this.names.find(name) === undefined) return undefined;
    if (after.startsWith("(")) return this.openBare("python");
    const line = /^[ \t]*\r?\n\s*/.exec(after)?.[0];
    if (line === undefined) return /^[ \t]*\r?$/.test(after) && !isEnd ? "undecided" : undefined;
    if (line.length === after.length) return isEnd ? undefined : "undecided";
    return after[line.length] === "{" ? this.openBare("named") : undefined;
  }

  private openBare(kind: keyof typeof bareReaders): OpenReader | undefined {
    if (!this.rules.bare.includes(kind)) return undefined;
    const fork = this.forkUnless(!this.place.followsColon);
    const closings = ["<|im_end|>", "<|eom_id|>", "<|eot_id|>", "</s>"];
    const context = this.createContext(true, closings, fork);
    return openReader(new bareReaders[kind](context), context, "", fork);
  }

  /** The output of a call that may be a mention, such as the next one of several in the middle of a line. */
  private forkUnless(isAlone: boolean): Fork | undefined {
    const { isExample, openSpan } = this.place;
    if (this.after?.fork !== undefined) return this.after.fork;
    if (isAlone && !isExample && openSpan === 0) return undefined;
    return { output: this.output.fork(), isInLine: !isAlone, isExample, span: openSpan };
  }

  private createContext(isBare: boolean, closings: readonly string[], fork: Fork | undefined): CallContext {
    const mustName = isBare || !this.place.startsLine;
    const output = fork?.output ?? this.output;
    const isInLine = fork?.isInLine === true || fork?.isExample === true;
    return {
      output,
      names: this.names,
      isBare,
      mustName,
      isInLine,
      closings,
      stoppedEarly: false,
      isLast: false,
    };
  }

  private show(text: string): void {
    this.output.addText(text);
    this.place.write(text);
  }
}

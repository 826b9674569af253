import type { CallContext, CallReader } from "./call-reader.js";
import { type CallNames, maxName } from "./call-names.js";
import type { CallOutput } from "./call-output.js";
import { CallPlace } from "./place/call-place.js";
import type { CallMarker, DialectRules } from "./dialects.js";
import { JsonCalls } from "./json-calls.js";
import { MarkedCall } from "./marked-call.js";
import { PythonCalls } from "./python-calls.js";
import { qwenTags } from "./xml/parameter-tags.js";
import { XmlCalls } from "./xml/xml-calls.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import { thinkingForms } from "../../text/around/thinking-forms.js";

/** The maximum length of text that is withheld because it may become a call. */
const maxHeld = 65_536;
/** The maximum length of the text that a reader leaves for later, such as a name. */
const maxUnread = 10_000;
/** The maximum length of text after a bracket that is read again if it is no call. */
const maxReadAgain = 256;

/** A character at which a call or thinking may begin. */
const callStart =
  /[<[{◁]|(?<=(?:[\n:]|[|?]>)[ \t>*]{0,20}(?:(?:print\(|return |await |\w{1,30} ?= ?)[ \t]{0,5})?)[A-Za-z_]/g;

/** The readers of calls without a marker. */
const bareReaders = { json: JsonCalls, python: PythonCalls, named: MarkedCall };

/** Finds calls in a text that arrives in pieces, and reports them and the text around them. */
export class CallFinder {
  private readonly output: CallOutput;
  private readonly names: CallNames;
  private rules: DialectRules;
  private readonly isAuto: boolean;
  private rest = "";
  private readonly place = new CallPlace();
  private open: OpenReader | undefined;
  /** After a call: what may follow it directly. */
  private after: AfterCall | undefined;
  private thinking: ThinkingEnd | undefined;
  private hasText = false;

  constructor(
    output: CallOutput,
    names: CallNames,
    rules: DialectRules,
    { isAuto, openThinking }: { readonly isAuto: boolean; readonly openThinking: boolean },
  ) {
    this.output = output;
    this.names = names;
    this.rules = rules;
    this.isAuto = isAuto;
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
    const calls = this.output.callCount;
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
    open.hasBegun ||= this.output.callCount > calls;
    if (open.hasBegun) open.held = "";
    else open.held += read;
    if (state === "open" && open.held.length <= maxHeld) {
      return false;
    }
    this.open = undefined;
    if (!open.hasBegun) {
      // Nothing was read: the first character is text, and a call may begin after it.
      const isShort = open.held === "" || (open.context.isBare && open.held.length <= maxReadAgain);
      if (isShort) this.rest = held === "" ? rest : held + rest;
      this.show(isShort ? this.takeCharacter() : open.held);
      return true;
    }
    this.place.startLine();
    this.after = { context: open.context, isNewLine: false };
    if (this.isAuto)
      this.rules = open.context.isBare ? { ...this.rules, markers: [] } : { ...this.rules, bare: [] };
    return true;
  }

  private takeCharacter(): string {
    const first = this.rest.slice(0, 1);
    this.rest = this.rest.slice(1);
    return first;
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
    const space = /^\s*/.exec(this.rest)?.[0] ?? "";
    after.isNewLine ||= space.includes("\n");
    this.output.addText(space);
    this.rest = this.rest.slice(space.length);
    if (this.rest === "") return false;
    const { context } = after;
    const closing = context.closings.find((tag) => this.rest.startsWith(tag));
    if (closing !== undefined) {
      this.rest = this.rest.slice(closing.length);
      this.place.startLine();
      if (!context.isBare) this.after = undefined;
      return true;
    }
    if (!isEnd && context.closings.some((tag) => tag.startsWith(this.rest))) return false;
    const separator = /^[;,]\s*/.exec(this.rest)?.[0] ?? "";
    if (separator.length === this.rest.length && !isEnd && separator.length < maxName) return false;
    const next = context.isBare
      ? this.nextBare(separator, after.isNewLine, isEnd)
      : this.nextMarked(separator, context, isEnd);
    if (next === "undecided") return false;
    this.after = undefined;
    if (next !== undefined) {
      this.rest = this.rest.slice(separator.length + next.held.length);
      this.open = next;
    } else if (context.isBare) this.rules = { ...this.rules, bare: [] };
    return true;
  }

  /** Another document after the same marker. */
  private nextMarked(
    separator: string,
    context: CallContext,
    isEnd: boolean,
  ): OpenReader | "undecided" | undefined {
    const rest = this.rest.slice(separator.length);
    if (!/^[{[]/.test(rest)) return undefined;
    const markers = this.rules.markers.map(({ open }) => open);
    if (markers.some((open) => rest.startsWith(open))) return undefined;
    if (!isEnd && markers.some((open) => open.startsWith(rest))) return "undecided";
    return openReader(new MarkedCall(context), context);
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
    const { place, rules } = this;
    if (/^[<[◁]/.test(rest)) {
      const marker = rules.markers.find(({ open }) => rest.startsWith(open));
      if (marker !== undefined) {
        if (marker.beginsCall === true ? place.startsLine : !place.isQuoted) return this.openMarked(marker);
        place.refuseMarker();
        return undefined;
      }
      const form = place.isMention ? undefined : thinkingAt(rest, 0, isEnd);
      if (form !== undefined) return form === "undecided" ? form : new ThinkingEnd([form]);
      if (!isEnd && rules.markers.some(({ open }) => open.startsWith(rest))) return "undecided";
      if (!rest.startsWith("[")) return undefined;
    }
    if (rules.bare.length === 0 || !place.allowsBare(rules)) return undefined;
    return rest.startsWith("{") || rest.startsWith("[")
      ? this.bracketAt(rest, isEnd)
      : this.nameAt(rest, isEnd);
  }

  private openMarked({ open, closings, beginsCall = false }: CallMarker): OpenReader {
    const context = this.createContext(false, closings);
    return beginsCall
      ? openReader(new XmlCalls(context, qwenTags), context)
      : openReader(new MarkedCall(context), context, open);
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
    if (!this.names.areKnown && this.isAuto) return undefined;
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
    const context = this.createContext(true, ["<|im_end|>", "<|eom_id|>", "<|eot_id|>", "</s>"]);
    return openReader(new bareReaders[kind](context), context);
  }

  private createContext(isBare: boolean, closings: readonly string[]): CallContext {
    const mustName = isBare || !this.place.startsLine;
    return { output: this.output, names: this.names, isBare, mustName, closings, stoppedEarly: false };
  }

  private show(text: string): void {
    this.output.addText(text);
    this.place.write(text);
  }
}

interface AfterCall {
  readonly context: CallContext;
  /** Whether a line has ended since. */
  isNewLine: boolean;
}

interface OpenReader {
  readonly reader: CallReader;
  readonly context: CallContext;
  /** The text so far, shown if it is not a call. */
  held: string;
  /** The number of characters that the reader has read. */
  read: number;
  hasBegun: boolean;
}

function openReader(reader: CallReader, context: CallContext, held = ""): OpenReader {
  return { reader, context, held, read: 0, hasBegun: false };
}

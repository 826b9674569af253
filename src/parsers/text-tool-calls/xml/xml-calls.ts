import type { JsonRepair } from "../../../json/repair.js";
import { MAX_REPAIRS } from "../../../messages/merge/arguments.js";
import type { JsonSchema } from "../../../schema/schema.js";
import { maxName } from "../call-names.js";
import type { CallContext, CallReader, TextReading } from "../call-reader.js";
import { JsonCalls } from "../json/json-calls.js";
import { quoted } from "../../../text/cut.js";
import { inJsonString } from "../../../text/json-text.js";
import { allowsOnlyStrings, anyJson, typedAsJson } from "./typed-value.js";
import {
  afterCall,
  afterClosingTag,
  maxTag,
  mayBecome,
  type ParameterTags,
  tailLength,
} from "./parameter-tags.js";

/** The maximum length of the text after a call in which a closing tag shows that the call has not ended. */
const maxAfter = 10_000;

type XmlProgress = "again" | "wait" | "done";

/**
 * Reads a call whose parameters are in tags. A value is a string unless the schema of the tool says otherwise.
 * `<function=name>{…}</function>`, as Llama writes it, has JSON arguments.
 *
 * A value may contain the same tags, as in `print("</parameter>")`, and nothing escapes them. A closing tag ends the
 * value only if the next parameter or the end of the call follows, and not in a nested call. The last such place is the
 * end of the call, so a call ends when the text ends or another call begins. If tags could also be read in another way,
 * the arguments are left open: the call is invalid, and does not run with a part of a value.
 */
export class XmlCalls implements CallReader {
  private readonly context: CallContext;
  private readonly tags: ParameterTags;
  private state: "open" | "close" | "content" | "value" = "open";
  private name = "";
  private json: JsonCalls | undefined;
  private text = "";
  private readonly keys = new Set<string>();
  private schema: JsonSchema | undefined;
  /** The value so far, if it is not a string, or its tag is indented. */
  private value: string | undefined;
  private isText = false;
  /** The space before the last tag, and that before the tag of the value if it is at the start of a line. */
  private space = "";
  private indent = "";
  /** Whether the value has begun: a line break before it is not part of it. */
  private hasBegun = false;
  /** Whether a line break before the closing tag is part of it. */
  private keepsBreak = false;
  /** The number of nested calls that are open. */
  private nested = 0;
  /** The number of tags in the value that may begin the next parameter, if a closing tag is missing. */
  private doubts = 0;
  /** The number of closing tags that are part of the value, except those of such tags. */
  private strays = 0;
  /** Whether the tags could be read in two ways. Then the arguments stay open up to the end of the text. */
  private isBroken = false;
  /** The text after the name. */
  private raw = "";
  /** The repairs of the values. */
  private readonly repairs: JsonRepair[] = [];
  /** Whether the arguments are complete. */
  private isWhole = false;
  /** Where the call may have ended. */
  private end: PossibleEnd | undefined;

  /** @param name the name, if it came before the tags */
  constructor(context: CallContext, tags: ParameterTags, name?: string) {
    this.context = context;
    this.tags = tags;
    if (name !== undefined) this.begin(name);
  }

  read(text: string, isEnd: boolean): TextReading {
    if (this.state === "open") {
      const opened = this.open(text, isEnd);
      if (typeof opened !== "number") return opened;
      const reading = this.read(text.slice(opened), isEnd);
      return { ...reading, used: opened + reading.used };
    }
    if (this.json === undefined) {
      this.text += text;
      this.raw += text;
    } else {
      const reading = this.json.read(text, isEnd);
      if (reading.state !== "done") return reading;
      this.json = undefined;
      this.isWhole = true;
      this.text = text.slice(reading.used);
    }
    let progress: XmlProgress;
    do progress = this.state === "value" ? this.readValue(isEnd) : this.readTags(isEnd);
    while (progress === "again");
    if (progress === "wait") return { state: "open", used: text.length };
    const { output } = this.context;
    if (!this.isWhole) {
      const { raw, error } = this.invalid();
      output.add({ raw, ...(this.isBroken || this.doubts > 0 ? { error } : undefined) });
    }
    if (this.repairs.length > 0) output.add({ repairs: this.repairs });
    return { state: "done", used: text.length, unread: this.text };
  }

  /** The text and the error of an invalid call. The text ends before the tags that end the call. */
  private invalid(): { readonly raw: string; readonly error: string } {
    const tags = [...this.tags.ends, ...this.context.closings];
    let raw = this.raw.slice(0, this.raw.length - this.text.length).trim();
    for (let end: string | undefined = ""; end !== undefined; end = tags.find((tag) => raw.endsWith(tag))) {
      raw = raw.slice(0, raw.length - end.length).trimEnd();
    }
    const key = quoted([...this.keys].at(-1) ?? "");
    const error = `The tags after the parameter ${key} could also be a part of its value. Write each parameter once, with its closing tag.`;
    return { raw, error };
  }

  /** Reads `<function=name>` and looks at the text after it, because the tag alone may be a mention. */
  private open(text: string, isEnd: boolean): number | TextReading {
    const { closings, mustName, names } = this.context;
    const start = text.slice(0, maxTag);
    const { tags } = this;
    const tag = tags.open.exec(start);
    const mayContinue = !isEnd && start.length < maxTag;
    const open = { state: mayContinue ? "open" : "none", used: 0 } as const;
    const none = { state: "none", used: 0 } as const;
    if (tag === null) return /^<[^<>]*$/.test(start) ? open : none;
    const [{ length }, name = ""] = tag;
    this.space = tag[0];
    if (mustName && names.areKnown && names.find(name) === undefined) return none;
    const after = start.slice(length);
    if (after.startsWith("{")) {
      this.state = "close";
      this.json = new JsonCalls({ ...this.context, closings: [...tags.ends, ...closings] }, name);
      return length;
    }
    const hasNext = tags.before.test(after) || tags.after.test(after);
    if (!hasNext && !closings.some((it) => after.startsWith(it))) {
      return mayBecome(after, tags, closings) ? open : none;
    }
    const end = tags.after.exec(after)?.[0];
    // Without parameters, it may be a mention of the tags.
    const next = end === undefined ? "end" : afterCall(start, length + end.length, closings, true, isEnd);
    if (next !== "end") return next === "wait" ? open : none;
    this.begin(name);
    return length;
  }

  private begin(name: string): void {
    const { output, names } = this.context;
    this.name = name;
    output.beginCall(names.resolve(name));
    this.state = "content";
  }

  /** Reads a tag outside of values. */
  private readTags(isEnd: boolean): XmlProgress {
    if (this.state === "content") {
      const { text } = this;
      this.text = text.trimStart();
      this.space += text.slice(0, text.length - this.text.length);
    }
    const rest = this.text.slice(0, maxTag);
    const start = rest.trimStart();
    const { before, after } = this.tags;
    const parameter = this.state === "content" ? before.exec(start) : null;
    if (parameter !== null) {
      this.skip(parameter[0].length);
      this.startValue(parameter[1] as string, parameter.groups?.["string"]);
      return "again";
    }
    const { closings, output } = this.context;
    const end = after.exec(start)?.[0];
    const hasEnd = end !== undefined || closings.some((tag) => start.startsWith(tag));
    if (!hasEnd && !isEnd && rest.length < maxTag && mayBecome(start, this.tags, closings)) return "wait";
    if (end !== undefined) this.skip(rest.length - start.length + end.length);
    this.isWhole ||= hasEnd && this.keys.size === 0;
    if (this.state === "content") output.add({ args: hasEnd ? "{}" : "{" });
    return "done";
  }

  private startValue(key: string, isString: string | undefined): void {
    const { output, names } = this.context;
    this.schema = names.parameters(this.name).find(([it]) => it === key)?.[1];
    if (isString === "false") this.schema ??= anyJson;
    this.isText = allowsOnlyStrings(this.schema);
    this.value = this.isText ? undefined : "";
    this.indent = /\n([ \t]+)$/.exec(this.space)?.[1] ?? "";
    this.space = "";
    this.hasBegun = false;
    this.strays = 0;
    const separator = this.keys.size === 0 ? "{" : ",";
    output.add({ args: `${separator}${JSON.stringify(key)}:` });
    this.keys.add(key);
    this.state = "value";
  }

  /** Reads up to the next tag that matters. */
  private readValue(isEnd: boolean): XmlProgress {
    const { inValue, onLines } = this.tags;
    if (!this.hasBegun) {
      if (this.text.length < 2 && !isEnd) return "wait";
      this.hasBegun = true;
      const space = onLines === false ? "" : (/^\r?\n?/.exec(this.text.slice(0, 2))?.[0] ?? "");
      this.keepsBreak = onLines === "both" && space === "";
      this.skip(space.length);
      if (space === "") this.indent = "";
      if (this.indent !== "") this.value = "";
      if (this.value === undefined) this.context.output.add({ args: '"' });
    }
    inValue.lastIndex = 0;
    const match = inValue.exec(this.text);
    this.take(match?.index ?? this.text.length - (isEnd ? 0 : tailLength(this.text, this.tags)));
    if (this.end !== undefined && this.end.after.length > maxAfter) return this.finish();
    if (match !== null) return this.readTag(match, isEnd);
    return isEnd ? this.finish() : "wait";
  }

  /** Reads a tag in a value. The text begins with it. */
  private readTag({ 0: tag, groups = {} }: RegExpExecArray, isEnd: boolean): XmlProgress {
    const { key, close, call, end } = groups;
    const space = this.keepsBreak ? tag.length - tag.trimStart().length : 0;
    if (space > 0) return this.take(space);
    const name = this.text.slice(tag.length, tag.length + maxName);
    const isCall = call !== undefined && this.tags.nested.test(name);
    if (call !== undefined && !isCall && !isEnd && name.length < maxName) return "wait";
    const after = this.end === undefined ? undefined : this.readAfterEnd(this.end, tag, isCall, close);
    if (after !== undefined) return after;
    if (isCall) this.nested++;
    if (call !== undefined) return this.take(tag.length);
    if (this.nested > 0) {
      if (end !== undefined) this.nested--;
      return this.take(tag.length);
    }
    if (key !== undefined) {
      if (this.tags.onLines === false || this.isNext(key)) this.doubts++;
      return this.take(tag.length);
    }
    return this.readEnd(tag, close !== undefined, isEnd);
  }

  /** A tag after what looked like the end of the call. Returns `undefined` if that was part of the value. */
  private readAfterEnd(
    end: PossibleEnd,
    tag: string,
    isCall: boolean,
    close: string | undefined,
  ): XmlProgress | undefined {
    this.isBroken ||= isCall && (this.doubts > 0 || !end.isClosed);
    if (isCall && !this.isBroken) return this.finish(true);
    if (!isCall && close === undefined) return this.take(tag.length);
    this.add(end.tags + end.after);
    this.end = undefined;
    this.addStray();
    this.refuseBefore();
    return undefined;
  }

  /** The closing tag of a value or, if that is missing, of the function. */
  private readEnd(tag: string, isClose: boolean, isEnd: boolean): XmlProgress {
    const { text, tags } = this;
    const { closings } = this.context;
    const { length } = tag;
    let next = isClose ? afterClosingTag(text, length, tags, closings, isEnd) : ("text" as const);
    if (!isClose && tags.onLines !== false) {
      const after = afterCall(text, length, closings, false, isEnd);
      next = after === "end" ? { length: 0 } : after;
    }
    if (next === "wait") return "wait";
    if (next === "cut") {
      if (!this.isBroken && this.doubts === 0) this.endValue();
      this.text = "";
      return "done";
    }
    if (next === "text") {
      if (isClose) this.addStray();
      if (isClose && tags.after.test(text.slice(length, length + maxTag).trimStart())) this.refuseBefore();
      return this.take(length);
    }
    if ("key" in next) {
      this.isBroken ||= this.doubts > 0 || !this.isNext(next.key) || this.isDeeper;
      if (this.isBroken) return this.take(length);
      this.endValue();
      return this.skip(length);
    }
    // The closing tag is missing, or it is one that was read as part of the value.
    if (!isClose && this.strays > 0) this.isBroken = true;
    this.end = { tags: text.slice(0, length + next.length), after: "", isClosed: isClose };
    return this.skip(length + next.length);
  }

  /** A closing tag that is part of the value. */
  private addStray(): void {
    if (this.doubts > 0) this.doubts--;
    else this.strays++;
  }

  /** The call may have ended here, and be in a value of the one before it. */
  private refuseBefore(): void {
    const { output } = this.context;
    this.isBroken ||= output.isHolding;
    output.refuse();
  }

  /** Whether the tool may have this parameter after those so far. */
  private isNext(key: string): boolean {
    const parameters = this.context.names.parameters(this.name);
    return !this.keys.has(key) && (parameters.length === 0 || parameters.some(([name]) => name === key));
  }

  /**
   * Ends the call. If it was not complete, its arguments stay open. If another call follows, closing tags after that one
   * may show that both are in a value.
   */
  private finish(isFollowed = false): XmlProgress {
    const { end } = this;
    const { output } = this.context;
    if (!isFollowed) output.release();
    if (end === undefined) return "done";
    this.text = end.after + this.text;
    this.isBroken ||= this.doubts === 0 && this.isDeeper;
    if (this.isBroken || this.doubts > 0) return "done";
    this.endValue();
    this.isWhole = true;
    if (isFollowed) output.hold({ args: "}", repairs: this.repairs.splice(0) }, this.invalid());
    else output.add({ args: "}" });
    return "done";
  }

  private endValue(): void {
    const { args, repairs = [] } = this.restOfValue();
    this.context.output.add({ args });
    this.repairs.push(...repairs.slice(0, MAX_REPAIRS - this.repairs.length));
    this.state = "content";
  }

  /** The JSON text of the value that was not shown while it grew: of a string only the quote. */
  private restOfValue(): ReturnType<typeof typedAsJson> {
    if (this.value === undefined) return { args: '"' };
    const value = withoutIndent(this.value, this.indent);
    return this.isText ? { args: JSON.stringify(value) } : typedAsJson(value, this.schema);
  }

  /** Whether the value is indented more than its tags, so the space may be a part of it or not. */
  private get isDeeper(): boolean {
    const { value = "", indent } = this;
    return this.isText && indent !== "" && /^[ \t]/.test(withoutIndent(value, indent));
  }

  /** Adds text to the value or, after the possible end of the call, to the text after it. */
  private take(length: number): XmlProgress {
    const piece = this.text.slice(0, length);
    if (this.end === undefined) this.add(piece);
    else this.end.after += piece;
    return this.skip(length);
  }

  private add(piece: string): void {
    if (this.value === undefined) this.context.output.add({ args: inJsonString(piece) });
    else this.value += piece;
  }

  private skip(length: number): XmlProgress {
    this.text = this.text.slice(length);
    return "again";
  }
}

/** The value without the space before its tags, if both are indented alike. */
function withoutIndent(value: string, indent: string): string {
  if (indent === "" || !value.endsWith(`\n${indent}`)) return value;
  const text = value.slice(0, -indent.length - 1).replace(/\r$/, "");
  const lines = text.split("\n");
  const isIndented = lines.every((line) => line.startsWith(indent) || line.trim() === "");
  return isIndented ? lines.map((line) => line.slice(indent.length)).join("\n") : text;
}

interface PossibleEnd {
  /** The tags there, which are part of the value if the call continues. */
  readonly tags: string;
  after: string;
  /** Whether the value has a closing tag. */
  readonly isClosed: boolean;
}

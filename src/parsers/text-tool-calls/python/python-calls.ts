import type { CallContext, CallReader, TextReading } from "../call-reader.js";
import { maxName, unescaped } from "../call-names.js";
import { quoted } from "../../../text/cut.js";
import { pythonSyntaxError, PythonValue, skipSpace } from "./python-value.js";

const wrappers: ReadonlySet<string> = new Set(["params", "parameters", "args", "arguments", "kwargs"]);

/** The text after a call on its line, if it is no code that the call is a part of. */
const afterStatement = /^(?:$|[#;,)\]}`*[]|<\S|\.(?!\w)|\/\/)/;

type PythonPhase = "start" | "name" | "argument" | "value" | "afterArgument" | "afterCall" | "broken";

/**
 * Reads calls in Python: `f(a=1)`, a list of them, and the forms that models make of it: `f({"a": 1})`, `['f(a=1)']`
 * and `[f, a=1]`. Arguments without a name need the parameters of the tool.
 */
export class PythonCalls implements CallReader {
  private readonly context: CallContext;
  private phase: PythonPhase = "start";
  private isList = false;
  private name = "";
  private begun = false;
  /** The call has no bracket of its own: `[f, a=1]`. */
  private isFlat = false;
  private readonly keys = new Set<string>();
  /** After an argument with its name, all others must have theirs. */
  private areNamed = false;
  private value: PythonValue | undefined;
  /** The text before the part that is read, and where the arguments of the call and the open one begin in it. */
  private before = "";
  private argsStart = 0;
  private argumentAt = 0;
  /** The call has one dictionary, which is the arguments. */
  private isWhole = false;
  /** The end of the arguments, until the text after the call shows that it is no part of other code. */
  private end = "";

  constructor(context: CallContext) {
    this.context = context;
  }

  read(text: string, isEnd: boolean): TextReading {
    const reading = this.readPart(text, isEnd);
    this.before += text.slice(0, reading.used);
    if (this.phase === "broken" && reading.state === "done") this.addRaw();
    return reading;
  }

  private readPart(text: string, isEnd: boolean): TextReading {
    let at = 0;
    try {
      for (;;) {
        if (this.phase === "broken") return this.readBroken(text, at, isEnd);
        const next = this.step(text, at, isEnd);
        if (typeof next === "object") return next;
        if (next === undefined) {
          if (!isEnd) return { state: "open", used: at };
          throw pythonSyntaxError;
        }
        at = next;
      }
    } catch (error) {
      if (error !== pythonSyntaxError) throw error;
      if (!this.begun) return { state: "none", used: at };
      // Only the bracket of the list is missing.
      if (this.phase === "name") return { state: "done", used: at };
      if (this.phase === "value") at = (this.value as PythonValue).at;
      this.phase = "broken";
      return this.readBroken(text, at, isEnd);
    }
  }

  private addRaw(): void {
    const found = quoted(this.before.slice(this.argumentAt), 60);
    const error =
      this.end === ""
        ? `An argument cannot be read as Python, or is not complete: ${found}.`
        : `The call is a part of other code: ${found}. Write nothing but calls.`;
    this.context.output.add({ raw: this.before.slice(this.argsStart), error });
    this.context.isLast = true;
  }

  /** Shows the rest of the line as it is: the arguments become invalid, and nothing is lost. */
  private readBroken(text: string, at: number, isEnd: boolean): TextReading {
    const line = text.indexOf("\n", at);
    const end = line < 0 ? text.length : line;
    this.context.output.add({ args: text.slice(at, end) });
    return { state: line < 0 && !isEnd ? "open" : "done", used: end };
  }

  private step(text: string, from: number, isEnd: boolean): number | TextReading | undefined {
    if (this.phase === "value") return this.readValue(text, from, isEnd);
    const at = skipSpace(text, from, isEnd);
    if (this.phase === "afterCall" && !this.isList) return this.readAfterStatement(text, from, isEnd);
    if (this.phase === "afterCall" && isEnd && (at ?? from) >= text.length) return this.close(text.length);
    if (at === undefined || at === text.length) return undefined;
    switch (this.phase) {
      case "start":
        this.isList = text[at] === "[";
        this.phase = "name";
        return this.isList ? at + 1 : at;
      case "name":
        return this.readName(text, at, isEnd);
      case "argument":
        return this.readArgument(text, at, isEnd);
      case "afterArgument":
        if (this.isClosing(text, at)) return this.endCall(at);
        if (text[at] !== ",") throw pythonSyntaxError;
        this.phase = "argument";
        return at + 1;
      default:
        return this.readAfterCall(text, from, at, isEnd);
    }
  }

  private readName(text: string, at: number, isEnd: boolean): number | TextReading | undefined {
    if (this.isList && "'\"`[(".includes(text[at] as string)) return at + 1;
    if (text[at] === "]" && this.begun) return { state: "done", used: at + 1 };
    const match = /[A-Za-z_][\w.\\]*/y;
    match.lastIndex = at;
    const name = match.exec(text)?.[0];
    if (name === undefined) throw pythonSyntaxError;
    const rest = text.slice(at + name.length, at + maxName);
    // `f(`, or in a list `f, a=1`, `'f', a=1` and `'f', {…}`
    const form = /^\s*(?:(\()|["'`]?\s*,\s*(?:(\{)|\w+\s*=))/.exec(rest);
    if (form === null) {
      if (!isEnd && /^\s*(?:["'`]?\s*(?:,\s*\w*\s*)?)?$/.test(rest) && name.length < maxName)
        return undefined;
      throw pythonSyntaxError;
    }
    const [, bracket, dictionary] = form;
    const { names, mustName } = this.context;
    const isOther = names.areKnown && names.find(name) === undefined;
    if (bracket === undefined ? !this.isList || isOther : mustName && isOther) {
      throw pythonSyntaxError;
    }
    if (this.begun) this.announce(name);
    this.name = name;
    this.isFlat = bracket === undefined;
    this.keys.clear();
    this.areNamed = false;
    this.isWhole = dictionary !== undefined;
    if (!this.isWhole) this.phase = "argument";
    else {
      this.begin();
      this.startValue();
    }
    const start = at + name.length + (bracket === undefined ? rest.indexOf(",") + 1 : form[0].length);
    this.argsStart = this.before.length + start;
    return start;
  }

  private readArgument(text: string, at: number, isEnd: boolean): number | undefined {
    if (this.isClosing(text, at)) return this.endCall(at);
    this.argumentAt = this.before.length + at;
    const keyword = /\**([A-Za-z_\\][\w\\]*)\s*=(?!=)/y;
    keyword.lastIndex = at;
    const key = keyword.exec(text);
    const rest = text.slice(at);
    if (
      !isEnd &&
      (/^\**(?:[A-Za-z_\\][\w\\]*)?\s*=?$/.test(rest) || (key !== null && key[0].length === rest.length))
    ) {
      if (rest.length > maxName) throw pythonSyntaxError;
      return undefined;
    }
    const name = key === null ? undefined : unescaped(key[1] as string);
    const value = rest.slice(key?.[0].length ?? 0);
    if (name === undefined || this.isWrapper(name)) {
      if (!isEnd && value.trim() === "") return undefined;
      const isWhole = this.keys.size === 0 ? this.isArguments(value, isEnd) : false;
      if (isWhole === undefined) return undefined;
      if (isWhole) {
        this.begin();
        this.isWhole = true;
        this.startValue();
        return text.length - value.replace(/^\s*(?:\*\*)?/, "").length;
      }
    }
    if (name !== undefined) {
      this.areNamed = true;
      return this.startArgument(name, text.length - value.length);
    }
    return this.startArgument(this.nameOfPlace(value), at);
  }

  /** The parameter that an argument without a name is for. */
  private nameOfPlace(value: string): string {
    const isOdd = this.areNamed || value.startsWith("*");
    const parameter = isOdd ? undefined : this.context.names.parameters(this.name)[this.keys.size];
    if (parameter === undefined) throw pythonSyntaxError;
    return parameter[0];
  }

  /** `f(params={…})` of a tool without that parameter. */
  private isWrapper(name: string): boolean {
    const parameters = this.context.names.parameters(this.name).map(([it]) => it);
    return wrappers.has(name) && parameters.length > 0 && !parameters.includes(name);
  }

  /** Whether this is a dictionary of all arguments, and not the first one: its first key is a parameter. */
  private isArguments(rest: string, isEnd: boolean): boolean | undefined {
    if (!/^\s*(?:\*\*)?\{/.test(rest)) return rest === "*" && !isEnd ? undefined : false;
    const parameters = this.context.names.parameters(this.name);
    if (parameters[0]?.[1]["type"] !== "object") return true;
    const key = /^\s*(?:\*\*)?\{\s*["']?([\w\\]+)["']?\s*:/.exec(rest)?.[1];
    if (key === undefined) return isEnd || rest.length > 1_000 ? true : rest.includes(":") || undefined;
    return parameters.some(([name]) => name === unescaped(key));
  }

  private startArgument(name: string, at: number): number {
    if (this.keys.has(name)) throw pythonSyntaxError;
    this.begin();
    this.context.output.add({ args: `${this.keys.size === 0 ? "{" : ","}${JSON.stringify(name)}:` });
    this.keys.add(name);
    const parameters = this.context.names.parameters(this.name);
    this.startValue(parameters.find(([it]) => it === name)?.[1]["type"]);
    return at;
  }

  private startValue(type?: unknown): void {
    const { output } = this.context;
    this.value = new PythonValue(
      (json) => output.add({ args: json }),
      type === undefined ? [] : [type].flat(),
    );
    this.phase = "value";
  }

  private readValue(text: string, from: number, isEnd: boolean): number | undefined {
    const value = this.value as PythonValue;
    const at = value.read(text, from, isEnd);
    if (value.isDone) this.phase = "afterArgument";
    else if (at === from) return undefined;
    return at;
  }

  private isClosing(text: string, at: number): boolean {
    return text[at] === ")" || (this.isFlat && text[at] === "]");
  }

  private endCall(at: number): number {
    this.begin();
    this.end = this.keys.size === 0 ? "{}" : "}";
    if (this.isWhole) this.end = " ";
    this.phase = "afterCall";
    return this.isFlat ? at : at + 1;
  }

  /** Reports the first call once its first argument has the right form. */
  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.announce(this.name);
  }

  private announce(name: string): void {
    this.context.output.beginCall(this.context.names.resolve(name));
  }

  /** The text after a call that stands alone, on its line. */
  private readAfterStatement(text: string, from: number, isEnd: boolean): TextReading | undefined {
    const space = /\s*/y;
    space.lastIndex = from;
    space.exec(text);
    const rest = text.slice(space.lastIndex, space.lastIndex + 2);
    const isOnLine = !text.slice(from, space.lastIndex).includes("\n");
    if (rest.length < 2 && isOnLine && !isEnd) return undefined;
    if (isOnLine && !this.context.isInLine && !afterStatement.test(rest)) throw pythonSyntaxError;
    return this.close(from);
  }

  private readAfterCall(
    text: string,
    from: number,
    at: number,
    isEnd: boolean,
  ): number | TextReading | undefined {
    const char = text[at] as string;
    if (char === "]") return this.close(at + 1);
    if ("'\"`)".includes(char)) return at + 1;
    if (char === "[") return this.close(at); // of its result
    if (char !== ",") {
      // Only the bracket of the list is missing, if text follows on another line.
      if (text.length < at + 4 && !isEnd) return undefined;
      const isText =
        text.slice(from, at).includes("\n") && !/^(?:for|if|and|or)\b/.test(text.slice(at, at + 4));
      if (!isText) throw pythonSyntaxError;
      return this.close(at);
    }
    this.close(at);
    this.phase = "name";
    return at + 1;
  }

  private close(used: number): TextReading {
    this.context.output.add({ args: this.end.trim() });
    this.end = "";
    return { state: "done", used };
  }
}

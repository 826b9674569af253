import { maxName } from "./call-names.js";
import type { CallContext, CallReader, TextReading } from "./call-reader.js";
import { JsonCalls } from "./json-calls.js";
import { PythonCalls } from "./python-calls.js";
import { glmTags, qwenTags } from "./xml/parameter-tags.js";
import { XmlCalls } from "./xml/xml-calls.js";

/**
 * Reads the calls after a marker. Their first characters tell the form: JSON, `<function=…>`, `name⏎{…}`,
 * `name[ARGS]{…}`, `name<arg_key>…` or Python.
 */
export class MarkedCall implements CallReader {
  private readonly context: CallContext;
  private reader: CallReader | undefined;

  constructor(context: CallContext) {
    this.context = context;
  }

  read(text: string, isEnd: boolean): TextReading {
    let at = 0;
    if (this.reader === undefined) {
      const found = this.find(text, isEnd);
      if (found === undefined) {
        return { state: isEnd ? "none" : "open", used: text.trim() === "" ? text.length : 0 };
      }
      if (found === "none") return { state: "none", used: 0 };
      [this.reader, at] = found;
    }
    const reading = this.reader.read(text.slice(at), isEnd);
    return { ...reading, used: at + reading.used };
  }

  /** The reader, and where it begins. */
  private find(text: string, isEnd: boolean): readonly [CallReader, number] | "none" | undefined {
    const { context } = this;
    const start = text.length - text.trimStart().length;
    const rest = text.slice(start, start + maxName);
    if (rest === "") return undefined;
    if (rest.startsWith("{")) return [new JsonCalls(context), start];
    if (rest.startsWith("<")) {
      if (rest.startsWith("<function=")) return [new XmlCalls(context, qwenTags), start];
      return "<function=".startsWith(rest) && !isEnd ? undefined : "none";
    }
    if (rest.startsWith("[")) {
      const next = /^\[[\s[(]*([^\s[(])/.exec(rest)?.[1];
      if (next === undefined) return isEnd || rest.length === maxName ? "none" : undefined;
      return [/[A-Za-z_`"']/.test(next) ? new PythonCalls(context) : new JsonCalls(context), start];
    }
    return this.findNamed(rest, start, isEnd);
  }

  private findNamed(
    rest: string,
    start: number,
    isEnd: boolean,
  ): readonly [CallReader, number] | "none" | undefined {
    const named = /^([\w.\\/:-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(?=\{)/.exec(rest);
    if (named !== null) return [new JsonCalls(this.context, named[1]), start + named[0].length];
    const tagged = /^([\w.\\/:-]+)\s*(?=<arg_key>|<\/tool_call>)/.exec(rest);
    if (tagged !== null && this.mayName(tagged[1] as string, rest[tagged[0].length + 1] === "a")) {
      return [new XmlCalls(this.context, glmTags, tagged[1]), start + tagged[0].length];
    }
    if (/^[A-Za-z_][\w.\\]*\(/.test(rest)) return [new PythonCalls(this.context), start];
    const isOpen = /^[\w.\\/:-]+\s*(?:(?:\[[\w\]-]*)*\s*|<\/?[a-z_]*)$/.test(rest) && rest.length < maxName;
    return isOpen && !isEnd ? undefined : "none";
  }

  /** A name alone is a call without arguments. Without the tools, it may be any word. */
  private mayName(name: string, hasArguments: boolean): boolean {
    const { names, mustName } = this.context;
    if (names.areKnown && names.find(name) !== undefined) return true;
    return hasArguments && !(mustName && names.areKnown);
  }
}

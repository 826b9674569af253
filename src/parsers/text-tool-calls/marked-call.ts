import { maxName } from "./call-names.js";
import type { CallContext, CallReader, TextReading } from "./call-reader.js";
import { JsonCalls } from "./json/json-calls.js";
import { PythonCalls } from "./python/python-calls.js";
import { innerMarkers } from "./dialects.js";
import { gemmaText } from "./gemma-text.js";
import { glmTags, invokeTags, mayBecome, type ParameterTags, qwenTags } from "./xml/parameter-tags.js";
import { XmlCalls } from "./xml/xml-calls.js";

/** The forms of a name before JSON, as the first group. */
const named: readonly RegExp[] = [
  // `name{`, `name[ARGS]{`, `name[CALL_ID]1[ARGS]{`
  /^([\w.\\/:-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(?=\{)/,
  // `name<｜tool▁sep｜>{`, `function<｜tool▁sep｜>name⏎```json⏎{`
  /^(?:function<｜tool▁sep｜>)?([\w.\\/:-]+)\s*(?:<｜tool▁sep｜>\s*)?(?:```(?:json)?\s*)?(?=\{)/,
  // `functions.name:0<|tool_call_argument_begin|>{`
  /^(?:functions\.)?([\w.\\/-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/,
  // `name <|constrain|>json<|message|>{`, `name<|channel|>commentary json<|message|>{`
  /^([\w.\\/-]+)(?:<\|channel\|>(?:analysis|commentary))?\s*(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>\s*(?=\{)/,
];
/** The start of such a form, or of others after a name. */
const mayBeNamed =
  /^(?:call:\s+)?[\w.\\/:-]+\s*(?:json\s*)?(?:(?:\[[\w\]-]*)*|(?:<[^<>{}\n]*(?:>[\w.\\/:\s-]*)?){0,3})\s*`{0,3}(?:json|jso|js|j)?\s*$/;

/** The tags that begin a call. */
const openTags: readonly (readonly [open: RegExp, tags: ParameterTags])[] = [
  [/^<function\s*=/, qwenTags],
  [/^<(?:antml:|｜DSML｜)?invoke\s+name\s*=/, invokeTags],
];

/**
 * Reads the calls after a marker. Their first characters tell the form: JSON, `<function=…>`, `<invoke name="…">`,
 * `name⏎{…}`, `name[ARGS]{…}`, `call:name{…}`, `name<arg_key>…` or Python.
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
    const start = this.skipMarker(text);
    const rest = text.slice(start, start + maxName);
    if (rest === "") return undefined;
    if (rest.startsWith("{")) return [new JsonCalls(context), start];
    if (rest.startsWith("<")) {
      const tags = openTags.find(([open]) => open.test(rest))?.[1];
      if (tags !== undefined) return [new XmlCalls(context, tags), start];
      const mayOpen = [qwenTags, invokeTags].some((it) => mayBecome(rest, it, innerMarkers));
      return mayOpen && !isEnd && rest.length < maxName ? undefined : "none";
    }
    if (rest.startsWith("[")) {
      const next = /^\[[\s[(]*([^\s[(])/.exec(rest)?.[1];
      if (next === undefined) return isEnd || rest.length === maxName ? "none" : undefined;
      return [/[A-Za-z_`"']/.test(next) ? new PythonCalls(context) : new JsonCalls(context), start];
    }
    return this.findNamed(rest, start, isEnd);
  }

  /** Returns where the call begins. */
  private skipMarker(text: string): number {
    const start = text.length - text.trimStart().length;
    const length = innerMarkers.find((marker) => text.startsWith(marker, start))?.length ?? 0;
    return start + length + (/^\s*/.exec(text.slice(start + length))?.[0].length ?? 0);
  }

  private findNamed(
    rest: string,
    start: number,
    isEnd: boolean,
  ): readonly [CallReader, number] | "none" | undefined {
    const gemma = /^call:\s*([\w.\\/:-]+)\s*(?=\{)/.exec(rest);
    if (gemma !== null) {
      return [new JsonCalls(this.context, gemma[1], gemmaText), start + gemma[0].length];
    }
    const found = named.map((form) => form.exec(rest)).find((it) => it !== null);
    if (found !== undefined) return [new JsonCalls(this.context, found[1]), start + found[0].length];
    const tagged = /^([\w.\\/:-]+)\s*(?=<arg_key>|<\/tool_call>)/.exec(rest);
    if (tagged !== null && this.mayName(tagged[1] as string, rest[tagged[0].length + 1] === "a")) {
      return [new XmlCalls(this.context, glmTags, tagged[1]), start + tagged[0].length];
    }
    if (/^[A-Za-z_][\w.\\]*\(/.test(rest)) return [new PythonCalls(this.context), start];
    const isOpen = mayBeNamed.test(rest) && rest.length < maxName;
    return isOpen && !isEnd ? undefined : "none";
  }

  /** A name alone is a call without arguments. Without the tools, it may be any word. */
  private mayName(name: string, hasArguments: boolean): boolean {
    const { names, mustName } = this.context;
    if (names.areKnown && names.find(name) !== undefined) return true;
    return hasArguments && !(mustName && names.areKnown);
  }
}

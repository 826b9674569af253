import type { JsonSchema } from "../../schema/schema.js";
import type { CallContext, CallReader, TextReading } from "./call-reader.js";
import { JsonCalls } from "./json-calls.js";
import { constantAsJson, inJsonString } from "./python-text.js";

const maxTag = 1_000;

/** The tags around the parameters of a call. */
export interface ParameterTags {
  /** The text before a value, with the key as its group. */
  readonly before: RegExp;
  /** The start of that text, or of `after`, at the end of a chunk. */
  readonly incomplete: RegExp;
  /** The end of a value: its closing tag, or a place where that is missing. */
  readonly closes: RegExp;
  /** The end of the call, if it is not that of the marker. */
  readonly after: RegExp;
  /** Whether there is a line break between a tag and a value. */
  readonly onLines: boolean;
}

/** `<function=name><parameter=key>value</parameter></function>` */
export const qwenTags: ParameterTags = {
  before: /^<parameter\s*=\s*["']?([^<>"'\n]+?)["']?\s*>/,
  incomplete: /^<(?:p[^<>]*|\/f[^<>]*|\/)?$/,
  closes: /<\/parameter\s*>|(?=<parameter=|<\/function>)/,
  after: /^<\/function\s*>/,
  onLines: true,
};

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>` */
export const glmTags: ParameterTags = {
  before: /^<arg_key>\s*([^<>]+?)\s*<\/arg_key>\s*<arg_value>/,
  incomplete: /^<(?:[a-z_]*|arg_key>[^<>]*(?:<\/?[a-z_]*|<\/arg_key>\s*(?:<[a-z_]*)?)?)$/,
  closes: /<\/arg_value\s*>/,
  after: /^(?!)/, // the end of the marker
  onLines: false,
};

/**
 * Reads a call whose parameters are in tags. A value is a string unless the schema of the tool says otherwise.
 * `<function=name>{…}</function>`, as Llama writes it, has JSON arguments.
 */
export class XmlCalls implements CallReader {
  private readonly context: CallContext;
  private readonly tags: ParameterTags;
  private readonly closing: RegExp;
  private state: "open" | "content" | "value" | "close" = "open";
  private name = "";
  private count = 0;
  private schema: JsonSchema | undefined;
  /** The value so far, if it is not a string. */
  private value: string | undefined;
  /** Whether the value has begun: a line break before it is not part of it. */
  private hasBegun = false;
  private json: JsonCalls | undefined;

  /** @param name the name, if it came before the tags */
  constructor(context: CallContext, tags: ParameterTags, name?: string) {
    this.context = context;
    this.tags = tags;
    this.closing = new RegExp(`${tags.onLines ? "\\r?\\n?" : ""}(?:${tags.closes.source})`, "g");
    if (name !== undefined) this.begin(name);
  }

  read(text: string, isEnd: boolean): TextReading {
    let at = 0;
    for (;;) {
      if (this.json !== undefined) {
        const { used, state } = this.json.read(text.slice(at), isEnd);
        at += used;
        if (state !== "done") return { used: at, state };
        this.json = undefined;
        this.state = "close";
      }
      const next = this.step(text, at, isEnd);
      if (typeof next === "object") return next;
      if (next === undefined || (next === at && at === text.length)) {
        return isEnd
          ? { state: this.state === "open" ? "none" : "done", used: text.length }
          : { state: "open", used: at };
      }
      at = next;
    }
  }

  private step(text: string, from: number, isEnd: boolean): number | TextReading | undefined {
    if (this.state === "value") return this.readValue(text, from, isEnd);
    const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
    const rest = text.slice(at, at + maxTag);
    if (rest === "") return undefined;
    if (this.state === "open") {
      const tag = /^<function\s*=\s*["']?([^<>"'\s]+)["']?\s*>\s*/.exec(rest);
      if (tag === null)
        return /^<[^<>]*$/.test(rest) && rest.length < maxTag ? undefined : { state: "none", used: at };
      const after = at + tag[0].length;
      if (after === text.length && !isEnd) return undefined;
      this.name = tag[1] as string;
      if (text[after] === "{") {
        this.json = new JsonCalls(
          { ...this.context, closings: ["</function>", ...this.context.closings] },
          this.name,
        );
        return after;
      }
      this.begin(this.name);
      return after;
    }
    const { before, incomplete, after } = this.tags;
    const parameter = this.state === "close" ? null : before.exec(rest);
    if (parameter !== null) {
      this.startValue(parameter[1] as string);
      return at + parameter[0].length;
    }
    if (incomplete.test(rest) && rest.length < maxTag) return undefined;
    if (this.state === "content") this.context.output.addArgs(this.count === 0 ? "{}" : "}");
    const close = after.exec(rest);
    return { state: "done", used: close === null ? from : at + close[0].length };
  }

  private begin(name: string): void {
    const { output, names } = this.context;
    this.name = name;
    output.beginCall();
    output.addName(names.resolve(name));
    this.state = "content";
  }

  private startValue(name: string): void {
    const { output, names } = this.context;
    this.schema = names.parameters(this.name).find(([it]) => it === name)?.[1];
    this.value = allowsOnlyStrings(this.schema) ? undefined : "";
    this.hasBegun = false;
    output.addArgs(
      `${this.count++ === 0 ? "{" : ","}${JSON.stringify(name)}:${this.value === undefined ? '"' : ""}`,
    );
    this.state = "value";
  }

  /** Reads up to the closing tag. The line break before it is not part of the value. */
  private readValue(text: string, from: number, isEnd: boolean): number | undefined {
    let at = from;
    if (!this.hasBegun) {
      if (text.length - from < 2 && !isEnd) return undefined;
      this.hasBegun = true;
      if (this.tags.onLines) at += /^\r?\n?/.exec(text.slice(at, at + 2))?.[0].length ?? 0;
    }
    const { closing } = this;
    closing.lastIndex = at;
    const match = closing.exec(text);
    if (match !== null) {
      this.add(text.slice(at, match.index));
      this.endValue();
      return match.index + match[0].length;
    }
    // A possible start of the closing tag waits.
    const tail = isEnd ? null : /(?:\r?\n?<\/?[a-z_]*=?\s*|\r?\n?|\r|[\ud800-\udbff])$/.exec(text.slice(at));
    const end = tail === null ? text.length : at + tail.index;
    this.add(text.slice(at, end));
    return end === from ? undefined : end;
  }

  private add(piece: string): void {
    if (this.value === undefined) this.context.output.addArgs(inJsonString(piece));
    else this.value += piece;
  }

  private endValue(): void {
    const { value } = this;
    this.context.output.addArgs(value === undefined ? '"' : typedAsJson(value, this.schema));
    this.state = "content";
  }
}

function allowsOnlyStrings(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  const { type, enum: values, const: value } = schema;
  if (type === undefined)
    return [values ?? value ?? ""].flat().every((it) => typeof it === "string") && !hasParts(schema);
  return [type].flat().every((it) => it === "string");
}

function hasParts(schema: JsonSchema): boolean {
  return ["anyOf", "oneOf", "allOf", "$ref"].some((key) => key in schema);
}

/** The JSON in the value, or the value as a string. */
function typedAsJson(value: string, schema: JsonSchema | undefined): string {
  const text = value.trim();
  const literal = constantAsJson(text) ?? text;
  const allowsString = schema?.["type"] === undefined || [schema["type"]].flat().includes("string");
  try {
    const parsed = JSON.parse(literal) as unknown;
    // A number is a string where the schema allows only the string.
    if (
      typeof parsed !== "number" ||
      !allowsString ||
      [schema?.["type"]].flat().some((it) => it === "number" || it === "integer")
    ) {
      return literal;
    }
  } catch {
    // Not JSON.
  }
  return JSON.stringify(value);
}

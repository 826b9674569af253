import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { isObject, type JsonValue, valueAt } from "../../json/value.js";
import { isInstance } from "../../text/thrown.js";
import { CallOutput } from "./call-output.js";
import type { CallContext, CallReader, TextReading } from "./call-reader.js";
import { pointerTo } from "../../tree/pointer.js";
import { JsonArgs } from "./json-args.js";

/** A text that is no call is noticed after this many characters. */
const maxPiece = 256;
const nameKeys = ["name", "function", "tool", "tool_name", "function_name"];
const argsKeys = ["arguments", "parameters", "args", "params"];
const otherKeys = ["id", "type", "call_id", "tool_call_id", "index"];
const callKeys: ReadonlySet<string> = new Set([...nameKeys, ...argsKeys, ...otherKeys]);

/**
 * Reads calls from a JSON document, repaired as `jsonParser()` repairs it: one call, an array of calls, or `tool_calls`
 * with an array. A call is `{"name", "arguments"}` in any order, or `{"function": {…}}` around it.
 */
export class JsonCalls implements CallReader {
  private readonly context: CallContext;
  private readonly parser = new JsonParser({ repair: true, append: true });
  /** The name, if it came before the document, which is then the arguments. */
  private readonly name: string | undefined;
  private at = 0;
  /** The call at `at`. */
  private call: OpenCall | undefined;
  /** The document became invalid inside a call. The rest is shown as it is. */
  private broken = false;
  /** The text so far. */
  private readonly pieces: string[] = [];
  /** The number of pieces when a call last ended. */
  private ended = 0;
  private isEnded = false;
  /** The number of pieces when the arguments last grew. */
  private grown = 0;
  /** The text by which they last grew. */
  private growth = "";

  constructor(context: CallContext, name?: string) {
    this.context = context;
    this.name = name;
  }

  read(text: string, isEnd: boolean): TextReading {
    let at = 0;
    while (at < text.length) {
      const closing = this.closingAt(text, at, isEnd);
      if (closing === "undecided") return { state: "open", used: at };
      if (closing) return this.finish(at);
      const next = nextStop(text, text[at] === "<" ? at + 1 : at);
      if (!this.write(text.slice(at, next))) return this.refuse(at);
      at = next;
      if (this.parser.complete && !this.broken) return this.finish(at);
    }
    return isEnd ? this.finish(at) : { state: "open", used: at };
  }

  /** Whether a closing tag is here. One inside a string is followed by more of the string on the same line. */
  private closingAt(text: string, at: number, isEnd: boolean): boolean | "undecided" {
    if (text[at] !== "<") return false;
    for (const tag of this.context.closings) {
      if (!text.startsWith(tag, at)) {
        if (!isEnd && tag.startsWith(text.slice(at))) return "undecided";
        continue;
      }
      const next = text.slice(at + tag.length, at + tag.length + 2);
      if (next === "" || next === "<") return isEnd || "undecided";
      if (/^[\r\n]|^<\|/.test(next)) return true;
    }
    return false;
  }

  /** Returns false if the text is not a call. */
  private write(piece: string): boolean {
    if (this.broken) {
      this.context.output.args(piece);
      return true;
    }
    const isValid = this.parse(piece);
    return this.follow() && (isValid || this.fail(false));
  }

  private finish(used: number): TextReading {
    if (!this.broken) {
      const isValid = this.end();
      if (!this.follow() || this.call?.begun !== true) return this.leave(used);
      if (!isValid) this.fail(true);
    }
    return { state: "done", used };
  }

  /** Leaves the document at the first character that is no call. It is in the last piece, which begins at `at`. */
  private refuse(at: number): TextReading {
    const again = this.readAgain(this.pieces.length - 1);
    again.pieces.pop();
    const before = lengthOf(this.pieces.slice(0, -1));
    return again.leave(at + lengthOf(again.pieces) - before);
  }

  /** The rest of the document is no call. */
  private leave(used: number): TextReading {
    if (this.at === 0) return { state: "none", used };
    return { state: "done", used, unread: this.pieces.slice(this.ended).join("") };
  }

  private parse(piece: string): boolean {
    this.pieces.push(piece);
    return isSound(() => {
      this.parser.write(piece);
    });
  }

  private end(): boolean {
    return isSound(() => {
      this.parser.end({ truncated: this.context.stoppedEarly });
    });
  }

  /** Shows the text since the arguments last grew. Returns false if no call has begun. */
  private fail(atEnd: boolean): boolean {
    if (this.call?.begun !== true) return false;
    this.broken = true;
    const text = this.pieces.join("");
    this.context.output.args(text.slice(this.shownLength(atEnd)));
    return true;
  }

  /** The arguments may have grown in the middle of a piece. */
  private shownLength(atEnd: boolean): number {
    const again = this.readAgain(Math.max(this.grown - 1, 0));
    if (atEnd) {
      again.end();
      again.follow();
    }
    const shown = again.pieces.slice(0, again.grown).join("");
    let { length } = shown;
    // The text after a number shows where it ends, and is no part of it.
    if (/\d$/.test(again.growth)) while (length > 0 && !/\d/.test(shown.charAt(length - 1))) length--;
    return length;
  }

  /** Reads the pieces again, the one at `index` one character at a time, up to the first character that is wrong. */
  private readAgain(index: number): JsonCalls {
    const again = new JsonCalls({ ...this.context, output: new CallOutput(() => "") }, this.name);
    for (const piece of this.pieces.flatMap((it, i) => (i === index ? Array.from(it) : it))) {
      const isValid = again.parse(piece);
      if (!again.follow() || !isValid) break;
    }
    return again;
  }

  /** Reports how the document has changed. Returns false if it has no calls. */
  private follow(): boolean {
    const { parser } = this;
    const patch = parser.takePatch();
    const root = parser.value;
    if (root === undefined) return true;
    if (typeof root !== "object" || root === null) return false;
    for (;;) {
      const base = this.pathOf(root, this.at);
      const value = base && valueAt(root, base);
      if (base === undefined || value === undefined) return true;
      this.call ??= new OpenCall(this.context, parser, this.name);
      const growth = this.call.follow(base, value, patch);
      if (growth === undefined) return this.call.begun;
      if (growth !== "") {
        this.grown = this.pieces.length;
        this.growth = growth;
      }
      if (!this.call.begun) return true;
      const hasAfter = this.hasAfter(root);
      if (!this.isEnded && parser.isComplete(pointerTo(base))) {
        this.isEnded = true;
        // If the next value has begun, it is what ended this one.
        this.ended = this.pieces.length - (hasAfter ? 1 : 0);
      }
      if (!hasAfter) return true;
      this.at++;
      this.isEnded = false;
      this.call = undefined;
    }
  }

  private pathOf(root: JsonValue, index: number): readonly string[] | undefined {
    if (this.name !== undefined) return [];
    if (Array.isArray(root)) return [String(index)];
    if (!isObject(root) || !("tool_calls" in root)) return [];
    return ["tool_calls", String(index)];
  }

  private hasAfter(root: JsonValue): boolean {
    const path = this.pathOf(root, this.at + 1);
    return path !== undefined && path.length > 0 && valueAt(root, path) !== undefined;
  }
}

/** A call in the document. */
class OpenCall {
  begun = false;
  private readonly context: CallContext;
  private readonly parser: JsonParser;
  /** The name, if it came before the document. */
  private readonly givenName: string | undefined;
  private isNamed = false;
  private args: JsonArgs | undefined;
  private held = "";

  constructor(context: CallContext, parser: JsonParser, givenName: string | undefined) {
    this.context = context;
    this.parser = parser;
    this.givenName = givenName;
  }

  /** Returns the text by which the arguments grew; `undefined` if this is not a call. */
  follow(base: readonly string[], value: JsonValue, patch: JsonPatch): string | undefined {
    const place = this.placeOf(base, value);
    if (place === undefined) return undefined;
    const { output, names } = this.context;
    const name = this.nameAt(place.name);
    if (place.args !== undefined) {
      this.args ??= new JsonArgs(place.args, this.parser);
      this.held += this.args.write(patch);
    }
    if (!this.begun) {
      const isCall = this.isCall(name);
      if (isCall !== true) return isCall === false ? "" : undefined;
      this.begun = true;
      output.begin();
    }
    if (!this.isNamed && name !== undefined) {
      this.isNamed = true;
      output.name(names.resolve(name));
    }
    const { held } = this;
    this.held = "";
    output.args(held);
    return held;
  }

  /** `false` if it is not known yet, `undefined` if this is not a call. */
  private isCall(name: string | undefined): boolean | undefined {
    const { names, tagged } = this.context;
    const isUnknown = name !== undefined && names.areKnown && names.find(name) === undefined;
    if (isUnknown && !tagged) return undefined;
    if (this.args !== undefined) return tagged || name !== undefined;
    return name !== undefined && (tagged || names.areKnown) && this.parser.complete;
  }

  /** Where the name and the arguments are, as far as they have begun. `undefined` if this is not a call. */
  private placeOf(base: readonly string[], value: JsonValue): CallPlace | undefined {
    if (this.givenName !== undefined) return { args: base };
    if (!isObject(value)) return undefined;
    if (isObject(value["function"])) return this.placeOf([...base, "function"], value["function"]);
    const name = nameKeys.find((key) => typeof value[key] === "string");
    const args = argsKeys.find((key) => key in value);
    const keys = Object.keys(value);
    // Once a call has begun, it may have any other key.
    const end = name && args ? Math.max(keys.indexOf(name), keys.indexOf(args)) : keys.length;
    if (!this.begun && keys.slice(0, end).some((key) => !callKeys.has(key))) return undefined;
    return {
      ...(name === undefined ? {} : { name: [...base, name] }),
      ...(args === undefined ? {} : { args: [...base, args] }),
    };
  }

  /** The name, when it is complete. */
  private nameAt(path: readonly string[] | undefined): string | undefined {
    if (this.givenName !== undefined) return this.givenName;
    if (path === undefined || !this.parser.isComplete(pointerTo(path))) return undefined;
    return valueAt(this.parser.value, path) as string;
  }
}

interface CallPlace {
  readonly name?: readonly string[];
  readonly args?: readonly string[];
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function isSound(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!isInstance(error, JsonParseError)) throw error;
    return false;
  }
}

/** The end of the next piece: a document can end only at a bracket, and a tag begins with "<". */
function nextStop(text: string, from: number): number {
  const end = Math.min(text.length, from + maxPiece);
  for (let at = from; at < end; at++) {
    const char = text[at];
    if (char === "<") return at;
    if (char === "}" || char === "]") return at + 1;
  }
  return end;
}

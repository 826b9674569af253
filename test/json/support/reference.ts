import type { JsonArray, JsonObject, JsonValue } from "millrace";
import { Allow } from "millrace/json";
import { escapeKey } from "./differences.js";

/** The facts about a text that may continue. */
export interface Reading {
  /** The offset of the first invalid character. */
  readonly wrongAt: number | undefined;
  /** The visible value so far. */
  readonly shown: JsonValue | undefined;
  /** The JSON Pointers of the visible values that have ended. */
  readonly complete: ReadonlySet<string>;
  /** Whether the text is a complete document. */
  readonly whole: boolean;
  /** The shortest continuation to a complete document, unless the text is invalid. */
  readonly shortest: string;
  /** A continuation that changes or extends all open values and then closes them, unless the text is invalid. */
  readonly longest: string;
}

/**
 * The reference parser: reads a text from the start, slowly and recursively, and returns the facts that an incremental
 * parser should know at its end. It shares no code with the parser under test. reference.test.ts compares it with
 * `JSON.parse()`.
 */
export function readPrefix(text: string, allow: number = defaultAllow): Reading {
  const reader = new Reader(text, allow);
  try {
    const part = reader.document();
    return {
      wrongAt: undefined,
      shown: part.shown,
      complete: new Set(reader.complete),
      whole: part.ended || part.shortest.trim() === "",
      shortest: part.ended ? "" : part.shortest,
      longest: part.ended ? " " : part.longest,
    };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const nothing = {
      shown: undefined,
      complete: new Set<string>(),
      whole: false,
      shortest: "",
      longest: "",
    };
    return { ...nothing, wrongAt: error.at };
  }
}

export const defaultAllow: number = Allow.STR | Allow.ARR | Allow.OBJ;

/** A value, or the part of it that exists. */
type Part =
  | { readonly ended: true; readonly shown: JsonValue }
  | {
      readonly ended: false;
      readonly shown: JsonValue | undefined;
      readonly shortest: string;
      readonly longest: string;
    };

class Wrong extends Error {
  readonly at: number;
  constructor(at: number) {
    super(`Wrong at ${at}.`);
    this.at = at;
  }
}

class Reader {
  readonly complete: string[] = [];
  private readonly text: string;
  private readonly allow: number;
  private at = 0;

  constructor(text: string, allow: number) {
    this.text = text;
    this.allow = allow;
  }

  document(): Part {
    const part = this.value("");
    this.space();
    if (!this.over) throw new Wrong(this.at);
    return part;
  }

  private value(pointer: string): Part {
    this.space();
    if (this.over) return { ended: false, shown: undefined, shortest: "0", longest: "[0]" };
    const part = this.anyValue(pointer);
    if (part.ended) this.complete.push(pointer);
    return part;
  }

  private anyValue(pointer: string): Part {
    switch (this.text.charAt(this.at)) {
      case "{":
        return this.object(pointer);
      case "[":
        return this.array(pointer);
      case '"':
        return this.string();
      case "t":
        return this.literal("true", true);
      case "f":
        return this.literal("false", false);
      case "n":
        return this.literal("null", null);
      default:
        return this.number();
    }
  }

  private object(pointer: string): Part {
    const object: JsonObject = {};
    const known = this.complete.length;
    const open = (shortest: string, longest: string): Part => {
      const shown = this.allows(Allow.OBJ);
      if (!shown) this.complete.length = known; // nothing inside is visible
      return { ended: false, shown: shown ? object : undefined, shortest, longest };
    };
    this.at++;
    for (let first = true; ; first = false) {
      this.space();
      if (this.over) {
        const more = `"${suffixFor("", object)}": 0}`;
        return first ? open("}", more) : open(more, more);
      }
      if (first && this.take("}")) return { ended: true, shown: object };
      if (this.text[this.at] !== '"') throw new Wrong(this.at);
      const key = this.string(Allow.STR);
      if (!key.ended) {
        // Completed in the shortest way, it could be equal to an existing key.
        const more = key.shortest.slice(0, -1) + suffixFor(key.shown as string, object);
        return open(`${more}":0}`, `${more}":[0]}`);
      }
      this.space();
      if (this.over) return open(":0}", ":[0]}");
      if (!this.take(":")) throw new Wrong(this.at);
      const child = this.value(`${pointer}/${escapeKey(key.shown as string)}`);
      if (child.shown !== undefined) define(object, key.shown as string, child.shown);
      const more = `,"${suffixFor("", object)}": 0}`;
      if (!child.ended) return open(`${child.shortest}}`, child.longest + more);
      this.space();
      if (this.over) return open("}", more);
      if (this.take("}")) return { ended: true, shown: object };
      if (!this.take(",")) throw new Wrong(this.at);
    }
  }

  private array(pointer: string): Part {
    const array: JsonArray = [];
    const known = this.complete.length;
    const open = (shortest: string, longest: string): Part => {
      const shown = this.allows(Allow.ARR);
      if (!shown) this.complete.length = known;
      return { ended: false, shown: shown ? array : undefined, shortest, longest };
    };
    this.at++;
    this.space();
    if (this.over) return open("]", "0]");
    if (this.take("]")) return { ended: true, shown: array };
    for (;;) {
      const child = this.value(`${pointer}/${array.length}`);
      if (child.shown !== undefined) array.push(child.shown);
      if (!child.ended) return open(`${child.shortest}]`, `${child.longest},0]`);
      this.space();
      if (this.over) return open("]", ",0]");
      if (this.take("]")) return { ended: true, shown: array };
      if (!this.take(",")) throw new Wrong(this.at);
    }
  }

  private string(allow: number = this.allow): Part {
    let value = "";
    this.at++;
    const open = (missing: string): Part => ({
      ended: false,
      // The first half of a pair is hidden until it is known that no second half follows.
      shown: (allow & Allow.STR) === 0 ? undefined : value.replace(/[\ud800-\udbff]$/, ""),
      shortest: `${missing}"`,
      longest: `${missing}x"`,
    });
    for (;;) {
      if (this.over) return open("");
      const character = this.text[this.at++] as string;
      if (character === '"') return { ended: true, shown: value };
      if (character < " ") throw new Wrong(this.at - 1);
      if (character !== "\\") {
        value += character;
        continue;
      }
      if (this.over) return open("\\");
      const escape = this.text[this.at++] as string;
      if (escape === "u") {
        const digits = /^[0-9a-fA-F]{0,4}/.exec(this.text.slice(this.at, this.at + 4))?.[0] as string;
        this.at += digits.length;
        if (digits.length < 4 && this.over) return open("0".repeat(4 - digits.length));
        if (digits.length < 4) throw new Wrong(this.at);
        value += JSON.parse(`"\\u${digits}"`) as string;
      } else {
        if (!'"\\/bfnrt'.includes(escape)) throw new Wrong(this.at - 1);
        value += JSON.parse(`"\\${escape}"`) as string;
      }
    }
  }

  private number(): Part {
    const text = startOfNumber.exec(this.text.slice(this.at))?.[0] as string;
    if (text === "") throw new Wrong(this.at);
    this.at += text.length;
    const whole = wholeNumber.exec(text)?.[0];
    if (!this.over) {
      if (whole !== text) throw new Wrong(this.at);
      return { ended: true, shown: JSON.parse(text) as number };
    }
    return {
      ended: false,
      shown: whole !== undefined && this.allows(Allow.NUM) ? (JSON.parse(whole) as number) : undefined,
      shortest: whole === text ? "" : "0",
      longest: /^-?0?$/.test(text) ? (text.endsWith("0") ? ".5" : "5") : "7",
    };
  }

  private literal(word: string, value: boolean | null): Part {
    for (let i = 0; i < word.length; i++) {
      if (this.over) {
        const shown = this.allows(value === null ? Allow.NULL : Allow.BOOL) ? value : undefined;
        return { ended: false, shown, shortest: word.slice(i), longest: word.slice(i) };
      }
      if (!this.take(word[i] as string)) throw new Wrong(this.at);
    }
    return { ended: true, shown: value };
  }

  private get over(): boolean {
    return this.at >= this.text.length;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private space(): void {
    while (!this.over && " \n\r\t".includes(this.text[this.at] as string)) this.at++;
  }

  private allows(kind: number): boolean {
    return (this.allow & kind) !== 0;
  }
}

const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
/** Every prefix of a number, including the empty one. */
const startOfNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/;

/** A suffix that makes the key different from all keys of the object. */
function suffixFor(key: string, object: JsonObject): string {
  let suffix = "new";
  while (Object.hasOwn(object, key + suffix)) suffix += "!";
  return suffix;
}

function define(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

import { base64 } from "./bytes/base64.js";
import { hexOf } from "./bytes/hex.js";
import { lazyPattern } from "./lazy-pattern.js";

/**
 * Removes secrets from texts: every part of a secret of eight or more characters, wherever a text was cut, and also in
 * the encodings in which a server may repeat it: JSON escapes, percent-encoding, HTML entities, hexadecimal and base64,
 * one inside the other, and with line breaks in between.
 */
export class Redactor {
  /** All parts of the secrets with the shortest length. */
  private readonly parts = new Set<string>();
  /** Whether a part has these first and last characters. Most places of a text are ruled out by them. */
  private readonly hints = new Uint8Array(65_536);

  private readonly secrets: readonly string[];

  /** Secrets of fewer than eight characters are ignored: removing them would damage ordinary words. */
  constructor(secrets: readonly string[]) {
    this.secrets = secrets;
    const long = secrets.filter(({ length }) => length >= shortest);
    for (const secret of long.flatMap(encodings)) {
      const { text } = solid(secret);
      for (let i = 0; i + shortest <= text.length; i++) {
        this.parts.add(text.slice(i, i + shortest));
        this.hints[hintAt(text, i)] = 1;
      }
    }
  }

  /** A redactor that also removes these. */
  with(secrets: readonly string[]): Redactor {
    return new Redactor([...this.secrets, ...secrets]);
  }

  get empty(): boolean {
    return this.parts.size === 0;
  }

  /** The text with each secret, or part of one, replaced by "[key]". */
  redact(text: string): string {
    const spans = this.spansIn(text);
    let clean = "";
    let from = 0;
    for (const { start, end } of spans) {
      clean += `${text.slice(from, start)}[key]`;
      from = end;
    }
    return clean + text.slice(from);
  }

  /** The places of the secrets, in order and without overlaps. */
  private spansIn(text: string): Span[] {
    if (this.empty || text.length < shortest) return [];
    const spans: Span[] = [];
    let layer: Layer | undefined = solid(text);
    for (let depth = 0; layer !== undefined && depth < deepestEncoding; depth++) {
      for (const span of this.spansInLayer(layer)) spans.push(span);
      layer = decoded(layer);
    }
    spans.sort((a, b) => a.start - b.start);
    const merged: Span[] = [];
    for (const span of spans) {
      const last = merged.at(-1);
      if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
      else merged.push(span);
    }
    return merged;
  }

  private *spansInLayer({ text, starts, ends }: Layer): Generator<Span> {
    for (let i = 0; i + shortest <= text.length; i++) {
      if (this.hints[hintAt(text, i)] === 0 || !this.parts.has(text.slice(i, i + shortest))) continue;
      const last = i + shortest - 1;
      yield { start: starts?.[i] ?? i, end: ends?.[last] ?? last + 1 };
    }
  }
}

function hintAt(text: string, i: number): number {
  return ((text.charCodeAt(i) << 8) ^ text.charCodeAt(i + shortest - 1)) & 0xffff;
}

/** Shorter texts are not keys. */
const shortest = 8;

/** How many encodings inside each other are removed. */
const deepestEncoding = 5;

interface Span {
  readonly start: number;
  end: number;
}

/** A text without white space, or decoded. */
interface Layer {
  readonly text: string;
  /** Where each character begins in the original, and where it ends. `undefined`: at the same place. */
  readonly starts: readonly number[] | undefined;
  readonly ends: readonly number[] | undefined;
}

const invisible = lazyPattern(String.raw`[\s\p{Cc}\p{Cf}]`);
const visible = lazyPattern(String.raw`[^\s\p{Cc}\p{Cf}]+`, "gu");

/** Without white space and invisible characters, with which a long word may be wrapped. */
function solid(text: string): Layer {
  if (!invisible().test(text)) return { text, starts: undefined, ends: undefined };
  const starts: number[] = [];
  const ends: number[] = [];
  let solidText = "";
  for (const { 0: run, index } of text.matchAll(visible())) {
    solidText += run;
    for (let i = index; i < index + run.length; i++) {
      starts.push(i);
      ends.push(i + 1);
    }
  }
  return { text: solidText, starts, ends };
}

/** `\u0073`, `\x73`, `\u{73}`, `\n`, `\/`; `%73`; `&#115;`, `&#x73;`, `&sol;` */
const escape =
  /\\+(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^ux]))|%([\da-f]{2})|&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));?/gi;

/** Reads one layer of escapes. `undefined` if the text has no escape. */
function decoded({ text, starts, ends }: Layer): Layer | undefined {
  let plain = "";
  const plainStarts: number[] = [];
  const plainEnds: number[] = [];
  const copy = (from: number, to: number): void => {
    plain += text.slice(from, to);
    for (let i = from; i < to; i++) {
      plainStarts.push(starts?.[i] ?? i);
      plainEnds.push(ends?.[i] ?? i + 1);
    }
  };
  let from = 0;
  for (const match of text.matchAll(escape)) {
    const { 0: escaped, index } = match;
    const character = characterOf(match);
    if (character === undefined) continue;
    copy(from, index);
    from = index + escaped.length;
    if (character === "") continue;
    plain += character;
    plainStarts.push(starts?.[index] ?? index);
    plainEnds.push(ends?.[from - 1] ?? from);
  }
  if (from === 0) return undefined;
  copy(from, text.length);
  return { text: plain, starts: plainStarts, ends: plainEnds };
}

/** The character of an escape: "" for an invisible one, `undefined` if there is no such escape. */
function characterOf(match: RegExpExecArray): string | undefined {
  const [, braced, unicode, byte, single, percent, hex, decimal, name] = match;
  if (single !== undefined) return "bfnrt".includes(single) ? "" : single;
  if (name !== undefined) return entities[name.toLowerCase()];
  const code =
    decimal === undefined
      ? parseInt((braced ?? unicode ?? byte ?? percent ?? hex) as string, 16)
      : Number(decimal);
  if (code > 0x10_ffff) return undefined;
  const character = String.fromCodePoint(code);
  return character.length > 1 || invisible().test(character) ? "" : character;
}

/** The named entities of ASCII. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  ast: "*",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  gt: ">",
  lowbar: "_",
  lt: "<",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quot: '"',
  semi: ";",
  sol: "/",
};

/** A secret as it is, and in the encodings that are not read character by character. */
function encodings(secret: string): string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  const hex = hexOf(bytes);
  return [secret, hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((offset) => base64At(offset, bytes))];
}

/** Base64 inside a longer text: three bytes become four characters, so there are three ways to write a secret. */
function base64At(offset: number, bytes: readonly number[]): string[] {
  const text = base64([...new Array<number>(offset).fill(0), ...bytes]);
  // Without the characters that also depend on the bytes around the secret.
  const whole = text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}

/**
 * Patterns for the grammars of llama.cpp. Its converter copies a pattern almost as it is into a grammar of the JSON
 * text: it needs both anchors, knows neither `\d` nor `(?:`, and `[^a]` would end the string with a quote. So
 *
 *     \d+-\w        becomes        ^[^"\\…]*[0-9]+-[0-9A-Z_a-z][^"\\…]*$
 *
 * where `[^"\\…]` stands for a class of the characters that need no escape in JSON.
 */
export interface GrammarPattern {
  readonly choices: Choices;
}

type Choices = readonly Sequence[];
type Sequence = readonly PatternPart[];

type PatternPart =
  | { readonly ranges: readonly Range[] }
  | { readonly choices: Choices }
  | { readonly part: PatternPart; readonly from: number; readonly to: number };

type Range = readonly [low: number, high: number];

/** Reads a pattern. `undefined` if a grammar cannot say it: look-around, back references, characters to escape. */
export function readPattern(pattern: string): GrammarPattern | undefined {
  const reader = new ExpressionReader(pattern);
  const choices = reader.readAnchored();
  const isRead = !reader.isBroken && costOf({ choices }) < MAX_REPETITIONS;
  return isRead ? { choices } : undefined;
}

/** llama.cpp refuses a grammar that repeats a rule more often ("exceeds sane defaults"). */
export const MAX_REPETITIONS = 2_000;

export function writePattern({ choices }: GrammarPattern): string {
  const text = choices.length === 1 ? textOf(choices) : `(${textOf(choices)})`;
  return `^${text}$`;
}

/** The pattern with limits for the length of the text, `undefined` if it has not exactly one repetition. */
export function withLengths(
  pattern: GrammarPattern,
  minLength: number,
  maxLength: number,
): GrammarPattern | undefined {
  const [min, max] = lengthsOf({ choices: pattern.choices });
  if (min >= minLength && max <= maxLength) return pattern;
  const [sequence, ...others] = pattern.choices;
  if (sequence === undefined || others.length > 0) return undefined;
  const at = sequence.findIndex((part) => "part" in part && "ranges" in part.part && part.from < part.to);
  const elastic = sequence[at];
  if (elastic === undefined || !("part" in elastic)) return undefined;
  const [rest, most] = lengthsOf({ choices: [sequence.toSpliced(at, 1)] });
  const from = Math.max(elastic.from, minLength - rest);
  const to = Math.min(elastic.to, maxLength - rest);
  const isLong = from >= MAX_REPETITIONS || (to !== Infinity && to >= MAX_REPETITIONS);
  if (rest !== most || from > to || isLong) return undefined;
  return { choices: [sequence.with(at, { ...elastic, from, to })] };
}

/** The pattern of texts that match both, if the first ends and the second begins with any text. */
export function joinPatterns(first: GrammarPattern, second: GrammarPattern): GrammarPattern | undefined {
  const [start, ...otherStarts] = first.choices;
  const [end, ...otherEnds] = second.choices;
  if (start === undefined || end === undefined || otherStarts.length > 0 || otherEnds.length > 0)
    return undefined;
  if (!isAnything(start.at(-1)) || !isAnything(end[0])) return undefined;
  return { choices: [[...start, ...end.slice(1)]] };
}

/** The characters that a JSON string contains as they are. */
const plainCharacters: readonly Range[] = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0x7e],
  [0x80, 0x10ffff],
];

const digits: readonly Range[] = [[0x30, 0x39]];
const wordCharacters: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];

const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  // The space is the only one that JSON does not escape, among those that models write.
  s: [[0x20, 0x20]],
  S: complement([[0x20, 0x20]]),
};

const anyText: PatternPart = { part: { ranges: plainCharacters }, from: 0, to: Infinity };

function isAnything(part: PatternPart | undefined): boolean {
  return part !== undefined && textOf([[part]]) === textOf([[anyText]]);
}

class ExpressionReader {
  /** Whether there was something that a grammar cannot say. */
  isBroken = false;
  private readonly characters: readonly string[];
  private at = 0;

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }

  /** The choices of the whole pattern. Where an anchor is missing, any text may be. */
  readAnchored(): Choices {
    const choices: Sequence[] = [];
    do {
      const isStart = this.take("^");
      const sequence = [...this.readSequence()];
      const isEnd = this.take("$");
      if (!isStart && !isAnything(sequence[0])) sequence.unshift(anyText);
      if (!isEnd && !isAnything(sequence.at(-1))) sequence.push(anyText);
      choices.push(sequence);
    } while (this.take("|"));
    if (this.peek() !== undefined) this.isBroken = true;
    return withoutEmpty(choices);
  }

  private readSequence(): Sequence {
    const sequence: PatternPart[] = [];
    for (let next = this.peek(); next !== undefined && !"|)$".includes(next); next = this.peek()) {
      sequence.push(this.readRepetition(this.readPart()));
    }
    return sequence;
  }

  private readPart(): PatternPart {
    const character = this.next();
    if (character === "(") return this.readGroup();
    if (character === "[") return { ranges: this.readClass() };
    if (character === ".") return { ranges: plainCharacters };
    if (character === "\\") return { ranges: this.within(this.readEscape()) };
    if ("^*+?".includes(character)) this.isBroken = true;
    return { ranges: this.within(single(character)) };
  }

  private readGroup(): PatternPart {
    if (this.take("?")) {
      const isNamed = this.take("<") && /\w/.test(this.peek() ?? "");
      if (isNamed) while (!this.take(">") && this.peek() !== undefined) this.next();
      else if (!this.take(":")) this.isBroken = true;
    }
    const choices: Sequence[] = [];
    do choices.push(this.readSequence());
    while (this.take("|"));
    if (!this.take(")")) this.isBroken = true;
    const [only, ...others] = withoutEmpty(choices);
    const [part, ...parts] = only ?? [];
    return others.length === 0 && parts.length === 0 && part !== undefined
      ? part
      : { choices: withoutEmpty(choices) };
  }

  private readRepetition(part: PatternPart): PatternPart {
    const [from, to] = this.readTimes() ?? [];
    if (from === undefined || to === undefined) return part;
    this.take("?"); // lazy or not, the texts are the same
    // A repetition of nothing is a left recursion, which llama.cpp refuses.
    if (from > to || (to === Infinity && lengthsOf(part)[0] === 0)) this.isBroken = true;
    return { part, from, to };
  }

  private readTimes(): Range | undefined {
    if (this.take("*")) return [0, Infinity];
    if (this.take("+")) return [1, Infinity];
    if (this.take("?")) return [0, 1];
    const [all, from, comma, to] = /^\{(\d+)(,?)(\d*)\}/.exec(this.rest(40)) ?? [];
    if (all === undefined) return undefined;
    this.at += all.length;
    return [Number(from), to !== "" ? Number(to) : comma === "," ? Infinity : Number(from)];
  }

  private readClass(): readonly Range[] {
    const isNegated = this.take("^");
    const ranges: Range[] = [];
    while (!this.take("]")) {
      if (this.peek() === undefined) {
        this.isBroken = true;
        break;
      }
      const low = this.readMember();
      const isRange = this.peek() === "-" && this.rest(2) !== "-]" && low.length === 1;
      if (isRange) this.next();
      const high = isRange ? this.readMember() : low;
      if (isRange && high.length === 1) ranges.push([low[0]?.[0] ?? 0, high[0]?.[1] ?? 0]);
      else ranges.push(...low, ...high);
    }
    return this.within(isNegated ? complement(ranges) : ranges);
  }

  private readMember(): readonly Range[] {
    const character = this.next();
    return character === "\\" ? this.readEscape() : single(character);
  }

  private readEscape(): readonly Range[] {
    const character = this.next();
    const known = Object.hasOwn(classes, character) ? classes[character] : undefined;
    if (known !== undefined) return known;
    const code = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})/.exec(
      character + this.rest(10),
    );
    if (code !== null) {
      this.at += code[0].length - 1;
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
      return [[point, point]];
    }
    // Controls are escaped in JSON. Other letters and digits have a meaning that a grammar cannot say.
    if (/[A-Za-z0-9]/.test(character)) this.isBroken = true;
    return single(character);
  }

  private within(ranges: readonly Range[]): readonly Range[] {
    const plain = complement(complement(ranges));
    if (plain.length === 0) this.isBroken = true;
    return plain;
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  private rest(length: number): string {
    return this.characters.slice(this.at, this.at + length).join("");
  }

  private next(): string {
    const character = this.peek();
    this.at++;
    if (character === undefined) this.isBroken = true;
    return character ?? "";
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }
}

/** An empty choice is written as a repetition. */
function withoutEmpty(choices: Choices): Choices {
  const full = choices.filter((sequence) => sequence.length > 0);
  if (full.length === choices.length || full.length === 0) return full;
  return [[{ part: { choices: full }, from: 0, to: 1 }]];
}

function single(character: string): readonly Range[] {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

/** The plain characters that are in none of the ranges. */
function complement(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  return plainCharacters.flatMap(([low, high]) => {
    const free: Range[] = [];
    let from = low;
    for (const [start, end] of sorted) {
      if (start > from && from <= high) free.push([from, Math.min(start - 1, high)]);
      from = Math.max(from, end + 1);
    }
    return from <= high ? [...free, [from, high] as const] : free;
  });
}

/** The shortest and the longest text of a part. */
function lengthsOf(part: PatternPart): Range {
  if ("ranges" in part) return [1, 1];
  if ("part" in part) {
    const [min, max] = lengthsOf(part.part);
    return [min * part.from, max === 0 ? 0 : max * part.to];
  }
  const all = part.choices.map((sequence) => {
    const lengths = sequence.map(lengthsOf);
    return [lengths.reduce((sum, [min]) => sum + min, 0), lengths.reduce((sum, [, max]) => sum + max, 0)];
  });
  if (all.length === 0) return [0, 0]; // an empty group
  return [Math.min(...all.map(([min = 0]) => min)), Math.max(...all.map(([, max = 0]) => max))];
}

/** A bound of the number of rules that a repetition around the part multiplies. */
function costOf(part: PatternPart): number {
  if ("ranges" in part) return 1;
  if ("choices" in part) return part.choices.flat().reduce((sum, it) => sum + costOf(it), 1);
  return costOf(part.part) * Math.max(1, part.to === Infinity ? part.from : part.to);
}

function textOf(choices: Choices): string {
  return choices.map((sequence) => sequence.map(textOfPart).join("")).join("|");
}

function textOfPart(part: PatternPart): string {
  if ("ranges" in part) return textOfClass(part.ranges);
  if ("choices" in part) return `(${textOf(part.choices)})`;
  const inner = "part" in part.part ? `(${textOfPart(part.part)})` : textOfPart(part.part);
  return inner + textOfTimes(part);
}

function textOfTimes({ from, to }: { readonly from: number; readonly to: number }): string {
  if (to === Infinity) return from === 0 ? "*" : from === 1 ? "+" : `{${from},}`;
  if (from === 0 && to === 1) return "?";
  return from === to ? `{${from}}` : `{${from},${to}}`;
}

/** A single character as it is, if no syntax knows it. Classes that are almost everything are negated. */
function textOfClass(ranges: readonly Range[]): string {
  const [[low, high] = [0, 0], ...others] = ranges;
  const character = String.fromCodePoint(low);
  if (others.length === 0 && low === high && /[\w @:,;=!#%&'~<>/-]/.test(character)) return character;
  if (ranges.at(-1)?.[1] !== 0x10ffff) return `[${textOfRanges(ranges)}]`;
  const outside = complement(ranges);
  return `[^${textOfRanges([...outside, ...escapedRanges])}]`;
}

const escapedRanges: readonly Range[] = [
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0, 0x1f],
  [0x7f, 0x7f],
];

function textOfRanges(ranges: readonly Range[]): string {
  return ranges
    .map(([low, high]) =>
      low === high ? textOfCode(low) : `${textOfCode(low)}${high === low + 1 ? "" : "-"}${textOfCode(high)}`,
    )
    .join("");
}

function textOfCode(code: number): string {
  const character = String.fromCodePoint(code);
  if (code > 0x7f || /[\w .,:;@/+*!#%&'(){}|?=~<>$]/.test(character)) return character;
  return `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
}

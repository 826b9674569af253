import * as Char from "../../json/scan/characters.js";
import { Candidate } from "./candidate.js";
import { APOSTROPHE, BACKTICK, isBlank, isWordCharacter, LESS, TILDE } from "../../text/around/characters.js";
import type { Found } from "../../json/extraction.js";
import { isRefusal } from "./refusal.js";
import { Tag } from "./tag.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import {
  promptTokens,
  type ThinkingForm,
  thinkingForms,
  thinkingTokens,
} from "../../text/around/thinking-forms.js";
import { WholeText } from "./whole-text.js";

/**
 * Finds the JSON document in a model's answer: after prose, `<think>` blocks, Markdown fences and tags. Synchronous and
 * streaming. The result does not depend on how the text is cut, and each character is read a bounded number of times.
 * It withholds at most 256 characters (`lookAhead`), and keeps up to 64 KB in case the whole text is one scalar.
 *
 * A document begins
 *
 * - at a `{` that is followed by a string in double quotes and a colon: `{"a":`. It may be anywhere. A name in braces,
 *   as in `{name}`, is prose, and so are `\frac{a}{b}` and `{{name}}`.
 * - at a `[` that is followed by such an object or `{}`, or by a string in double quotes and `,` or `]`; `[[` likewise.
 *   Not directly after a word (`row["id"]` is an index), and not if `]` and `(` make it a link.
 * - at a `[` that opens its line, also if a number or literal and `,` follow. `["` at the start of a line begins a
 *   document at once, so its text is shown while it grows. `[1]`, `[]`, `[[]]` and `{}` must be alone on their line,
 *   except for a closing fence or tag after them: `[1] Smith`, `- [ ] task`, `[x]` and `[[wiki]]` are prose. White
 *   space, reasoning, fences with their info string, and tags leave a line blank, so the array in `<answer>[1,
 *   2]</answer>` opens its line.
 * - if `lenient`, with single, smart and backtick quotes as with double quotes. A `{` or `[` that opens its line may
 *   also be followed by unquoted keys (`{a:`), comments, one more `{`, and the literals of Python and JavaScript. So may
 *   one after `const a =` or `export default` at the start of its line, and a `{` after `a =`.
 *
 * A candidate that still fits these rules after 256 characters, or at the end of the text, is a document. The parser
 * can then report that it was truncated: `{"na`. A scalar is a document only if it is the whole text, outside of
 * reasoning and one fence.
 *
 * `<think>` blocks and the like (`thinkingForms`) are skipped. An unclosed one skips the rest of the text, so `` `<think>` ``
 * in quotes or backticks is not a tag. A closing tag alone means that the opening tag was in the prompt. A scalar may
 * follow it, too. The text before it cannot be distinguished from an answer in time, except with `openThinking`.
 *
 * `find("I see {x}:\n")` and `` find('```json\n{"a"') `` return `undefined`, and `find(": 1}")` returns the text `{"a": 1}` with
 * its offset 19 and line 3. The `{x` was prose at its `x`, and the fence leaves its line blank. A fence after the document
 * is not read here: where it ends the document is at `isEndOfDocument()` (`lenient/ahead/fences.ts`).
 *
 * Two cases remain ambiguous. An example in the prose (`` like `{"a": 1}`: ``), or a citation that opens its line (`[1,
 * 2] show`), is a document. A list of numbers on a line with other words is not.
 */
export class Extractor {
  private readonly lenient: boolean;
  private candidate: Candidate;
  private tag = new Tag();
  private thinking: ThinkingEnd;
  private readonly whole = new WholeText();

  private state = IN_PROSE;
  /** The part of earlier chunks that is not decided: a candidate, or the start of a token such as `[THINK]`. */
  private held = "";
  /** The last characters before it. */
  private before = "";
  private ended = false;
  /** The place in the current text where the candidate begins. */
  private start = 0;
  /** The number of characters before the current text. */
  private offset = 0;
  private line = 1;
  private lineStart = 0;
  /** The part of the line that was read: BLANK, a part of a fence, FENCE, INFO or PROSE. */
  private lineState = BLANK;
  private previous = Char.LINE_FEED;
  /** Only white space and reasoning so far? */
  private empty = true;
  /** Did a `<think>` end that was opened in the prompt? */
  closedThinking = false;
  /** Was there anything else than white space, reasoning, fences and tags? */
  sawProse = false;

  /**
   * @param lenient will the document be repaired? Then it may have single or smart quotes, unquoted keys,
   *   comments or a doubled opening bracket
   * @param openThinking does the text begin in a `<think>` that the prompt has opened?
   */
  constructor(lenient: boolean, openThinking = false) {
    this.lenient = lenient;
    this.candidate = new Candidate(Char.OPEN_BRACE, { opensLine: true, opensText: true }, lenient);
    this.thinking = new ThinkingEnd(openThinking ? thinkingForms : []);
    if (openThinking) this.state = IN_THINKING;
  }

  /**
   * Reads the next chunk. Returns the place of the document, or `undefined` if none has begun. Must not be called again
   * after the document was found.
   */
  find(text: string): Found | undefined {
    return this.scan(this.held + text, this.state === IN_CANDIDATE ? this.held.length : 0);
  }

  /** The text has ended. Returns a candidate that was still undecided, or a scalar. */
  end(): Found | undefined {
    this.ended = true;
    const last = this.find("");
    if (last !== undefined) return last;
    while (this.state === IN_CANDIDATE) {
      // A string may end like the start of a document: "the key of {"
      if (this.candidate.likely) return this.whole.findScalar(this.lenient) ?? this.found(this.held);
      const found = this.scan(this.held, this.giveUp());
      if (found !== undefined) return found;
    }
    const scalar = this.whole.findScalar(this.lenient);
    return scalar ?? (this.lenient ? (this.whole.findList() ?? this.whole.findBracket()) : undefined);
  }

  /** Is the text in a `<think>` that did not end? */
  get inThinking(): boolean {
    return this.state === IN_THINKING;
  }

  /** The text without a document and reasoning; empty if it is too long. */
  get proseSoFar(): string {
    return this.inThinking ? "" : this.whole.start;
  }

  /** A scalar in that text, as a document. */
  foundAt(index: number, json: string): Found {
    return { ...this.whole.found(index), text: json };
  }

  /** Does the text without a document read as a refusal? */
  get refuses(): boolean {
    return isRefusal(this.proseSoFar);
  }

  /** @param from the length of the held text that was read before */
  private scan(text: string, from: number): Found | undefined {
    let i = from;
    while (i < text.length) {
      const next = this.step(text, i);
      if (next === FOUND) return this.found(text);
      if (next === HOLD) break;
      i = next;
    }
    this.whole.add(text, this.offset);
    const kept = this.state === IN_CANDIDATE ? this.start : i;
    this.held = text.slice(kept);
    this.before = (this.before + text.slice(Math.max(0, kept - longestAssignment), kept)).slice(
      -longestAssignment,
    );
    this.offset += kept;
    this.start = 0;
    return undefined;
  }

  /** Returns the index where the scan continues, FOUND or HOLD. */
  private step(text: string, i: number): number {
    const character = text.charCodeAt(i);
    switch (this.state) {
      case IN_CANDIDATE: {
        const decision = this.candidate.read(character);
        if (decision === true) return FOUND;
        return decision === false ? this.giveUp() : i + 1;
      }
      case IN_TAG: {
        const ends = this.tag.read(character);
        if (ends === false) {
          this.resumeProse();
          return i; // reads the character again as prose
        }
        this.previous = character;
        if (ends === true) this.endTag(i + 1);
        return i + 1;
      }
      case IN_THINKING: {
        const end = this.thinking.read(text, i);
        const next = end < 0 ? text.length : end;
        const thought = text.slice(i, next); // The search would not end there.
        for (let at = thought.indexOf("\n"); at >= 0; at = thought.indexOf("\n", at + 1)) {
          this.startLine(i + at + 1);
        }
        if (end >= 0) this.endThinking(end);
        return next;
      }
      default:
        return this.readProse(text, i, character);
    }
  }

  private readProse(text: string, i: number, character: number): number {
    const { previous } = this;
    if (
      (character === Char.OPEN_BRACKET || character === LESS || character === DIAMOND) &&
      !isQuote(previous)
    ) {
      const form = thinkingAt(text, i, this.ended, tokens);
      if (form === "undecided") return HOLD;
      if (form !== undefined) {
        const end = i + form.open.length;
        if (form.close === "") this.endPromptThinking(end);
        else this.beginThinking(form);
        return end;
      }
    }
    this.previous = character;
    if (character === Char.LINE_FEED) this.startLine(i + 1);
    else if (this.opensCandidate(character, previous)) {
      const { opensLine } = this;
      const before = {
        opensLine: opensLine || this.isAssigned(text, i, character),
        opensText: opensLine && !this.sawProse,
      };
      this.candidate = new Candidate(character, before, this.lenient);
      this.start = i;
      this.state = IN_CANDIDATE;
    } else if (character === LESS && !isQuote(previous)) {
      this.tag = new Tag();
      this.state = IN_TAG;
    } else if (this.lineState !== PROSE) this.readLineStart(character);
    return i + 1;
  }

  private opensCandidate(character: number, previous: number): boolean {
    if (character === Char.OPEN_BRACKET) return this.opensLine || !makesIndex(previous);
    // The first key may have no bracket before it.
    if (character === Char.QUOTE) return this.lenient && this.opensLine && !this.sawProse;
    return character === Char.OPEN_BRACE;
  }

  /** `const a = {`, `export default [`: does an assignment to the document begin its line? */
  private isAssigned(text: string, i: number, character: number): boolean {
    const length = this.offset + i - this.lineStart;
    if (!this.lenient || length > longestAssignment) return false;
    const line = length > i ? this.before.slice(i - length) + text.slice(0, i) : text.slice(i - length, i);
    return declaration.test(line) || (character === Char.OPEN_BRACE && assignment.test(line));
  }

  /** Reads a character of a line that is not prose so far. */
  private readLineStart(character: number): void {
    const { lineState } = this;
    if (isBlank(character)) {
      // "` x" is not a fence.
      this.lineState = lineState === BLANK || isFence(lineState) ? BLANK : PROSE;
      return;
    }
    this.empty = false;
    if (lineState === INFO) return;
    if (character === BACKTICK || character === TILDE) this.lineState = afterTick(lineState);
    else this.lineState = lineState === FENCE ? INFO : PROSE;
    this.sawProse ||= this.lineState === PROSE;
  }

  private get opensLine(): boolean {
    return this.lineState === BLANK || isFence(this.lineState);
  }

  private startLine(i: number): void {
    this.line++;
    this.lineStart = this.offset + i;
    this.lineState = BLANK;
  }

  private endTag(i: number): void {
    const { opens, closes } = this.tag;
    if (opens !== undefined) this.beginThinking({ open: `<${opens}>`, close: `</${opens}>` });
    else if (closes) this.endPromptThinking(i);
    else {
      this.state = IN_PROSE;
      this.empty = false;
    }
  }

  private beginThinking(form: ThinkingForm): void {
    this.thinking = new ThinkingEnd([form]);
    this.state = IN_THINKING;
  }

  /** An end without an opening, which was in the prompt. */
  private endPromptThinking(i: number): void {
    this.closedThinking = true;
    this.empty = true;
    this.endThinking(i);
  }

  private endThinking(i: number): void {
    this.state = IN_PROSE;
    this.lineState = BLANK;
    if (!this.empty) return;
    // The text before this place was reasoning.
    this.sawProse = false;
    this.whole.restart({ offset: this.offset + i, line: this.line, lineStart: this.lineStart });
  }

  /** The candidate is prose. Returns the index after its opening brackets, where the scan continues. */
  private giveUp(): number {
    this.resumeProse();
    return this.start + this.candidate.opening;
  }

  private resumeProse(): void {
    this.state = IN_PROSE;
    this.lineState = PROSE;
    this.empty = false;
    this.sawProse = true;
  }

  private found(text: string): Found {
    const { start, line, lineStart } = this;
    const offset = this.offset + start;
    const found = { text: text.slice(start), offset, line, lineStart };
    return this.candidate.isOpen
      ? found
      : { ...found, repair: { kind: "missing_opening", text: `{${found.text}`, added: 1 } };
  }
}

const longestAssignment = 100;
const declaration =
  /^\s*(?:export\s+default|(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*(?::[^=]*)?=|module\.exports\s*=)\s*$/;
const assignment = /^\s*[\w$.]+\s*=\s*$/;

const FOUND = -1;
const HOLD = -2;

/** The tokens that begin thinking, and the ends of those that the prompt may have begun. */
const tokens: readonly ThinkingForm[] = thinkingTokens.concat(
  promptTokens.map(({ close }) => ({ open: close, close: "" })),
);

const DIAMOND = 0x25c1; // ◁think▷

const IN_PROSE = 0;
const IN_CANDIDATE = 1;
const IN_TAG = 2;
const IN_THINKING = 3;

// The states of a line, each with a sample of its text.
const BLANK = 0;
const ONE_TICK = 1; // `
const TWO_TICKS = 2; // ``
const FENCE = 3; // ```
const INFO = 4; // ```js
const PROSE = 5;

function isFence(lineState: number): boolean {
  return lineState === FENCE || lineState === INFO;
}

/** Returns the state of a line after another backtick or tilde. After three of them, another one is the info string. */
function afterTick(lineState: number): number {
  if (lineState === BLANK) return ONE_TICK;
  if (lineState === ONE_TICK) return TWO_TICKS;
  return lineState === TWO_TICKS ? FENCE : INFO;
}

function isQuote(character: number): boolean {
  return character === BACKTICK || character === Char.QUOTE || character === APOSTROPHE;
}

/** Is a bracket directly after this character an index, or part of the bracket before it: `row["id"]`? */
function makesIndex(previous: number): boolean {
  return (
    isWordCharacter(previous) ||
    previous === Char.CLOSE_PARENTHESIS ||
    previous === Char.CLOSE_BRACKET ||
    previous === Char.OPEN_BRACKET ||
    previous === Char.QUOTE ||
    previous === APOSTROPHE
  );
}

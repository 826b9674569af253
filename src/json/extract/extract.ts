import { LINE_FEED, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "../scan/characters.js";
import { Candidate } from "./candidate.js";
import { APOSTROPHE, BACKTICK, isBlank, LESS, makesIndex, TILDE } from "./characters.js";
import type { Found } from "./found.js";
import { WholeScalar } from "./scalar.js";
import { Tag, Thinking } from "./tag.js";

export type { Found } from "./found.js";

/**
 * Finds where a JSON document begins in what a model writes: behind prose, `<think>` blocks, Markdown fences and tags.
 * Synchronous and streaming: the answer is the same for every cut of the text, each character is looked at a bounded
 * number of times, and no more than 256 characters are held back (`lookAhead`), except that up to 64 KB are kept for the
 * case that the whole text turns out to be one scalar.
 *
 * A document begins
 *
 * - at a `{`, if a string in double quotes and a colon follow: `{"a":`. Anywhere: a name in braces, as in `{name}`, is
 *   prose, and so are `\frac{a}{b}` and `{{name}}`.
 * - at a `[`, if such an object or `{}` follows it, or a string in double quotes and `,` or `]`; `[[` likewise. Not right
 *   behind a word (`row["id"]` is an index), and not if `]` and `(` make it a link.
 * - at a `[` that opens its line, also if a number or literal and `,` follow, and at once with `["`, whose text is shown
 *   as it comes. `[1]`, `[]`, `[[]]` and `{}` must be alone on their line, but for a closing fence or tag behind them:
 *   `[1] Smith`, `- [ ] task`, `[x]` and `[[wiki]]` are prose. White space, thinking, fences with their info string, and
 *   tags leave a line blank, so that the one in `<answer>[1, 2]</answer>` opens its line.
 * - if `lenient`, with single, smart and backtick quotes as with double ones; and at a `{` or `[` that opens its line, also
 *   before unquoted keys (`{a:`), comments, one more `{`, and the literals of Python and JavaScript.
 *
 * What looks like one for 256 characters is one, and so is what looks like one where the text ends, so that the parser can
 * say that it was cut: `{"na`. A scalar is one only if it is all there is, outside of thinking and one fence.
 *
 * `<think>` and `<thinking>` are skipped whole; one that is not closed swallows the rest, so `` `<think>` `` in quotes or
 * backticks is none. A closing tag alone means that the opening one was in the prompt: a scalar may follow it too. What
 * came before it can hardly be told from an answer in time.
 *
 * What stays ambiguous: an example in the prose (`` like `{"a": 1}`: ``), or a citation that opens its line (`[1, 2] show`),
 * is a document; a list of numbers in a line with other words is none.
 */
export class Extractor {
  private readonly lenient: boolean;
  private readonly candidate: Candidate;
  private readonly tag = new Tag();
  private readonly thinking = new Thinking();
  private readonly scalar = new WholeScalar();

  private state = IN_PROSE;
  /** The candidate as far as it is known, without those characters of it that this chunk adds. */
  private held = "";
  /** Where the candidate begins in the text that is being read. */
  private start = 0;
  /** How many characters came before the text that is being read. */
  private offset = 0;
  private line = 1;
  private lineStart = 0;
  /** What the line has so far. */
  private lead = BLANK;
  private previous = LINE_FEED;
  /** Whether there was nothing but white space and thinking so far. */
  private empty = true;

  /**
   * @param lenient whether the document may be written as models write it (single or smart quotes, unquoted keys, comments,
   *   a doubled opening), because it will be repaired
   */
  constructor(lenient: boolean) {
    this.lenient = lenient;
    this.candidate = new Candidate(lenient);
  }

  /**
   * Reads on. `undefined` as long as no document has begun; else where it begins, and its text as far as it is here. Not to
   * be called again after that.
   */
  find(text: string): Found | undefined {
    return this.scan(this.held + text, this.held.length);
  }

  /** The text has ended: a document that only waited for certainty, or a scalar, with all text from there on. */
  end(): Found | undefined {
    while (this.state === IN_CANDIDATE) {
      // A string may end as a document begins: "the key of {"
      if (this.candidate.likely) return this.scalar.find(this.lenient) ?? this.found(this.held);
      const found = this.scan(this.held, this.giveUp());
      if (found !== undefined) return found;
    }
    return this.scalar.find(this.lenient);
  }

  /** @param from up to where the text is only held, and read already */
  private scan(text: string, from: number): Found | undefined {
    let i = from;
    while (i < text.length) {
      const character = text.charCodeAt(i);
      switch (this.state) {
        case IN_PROSE:
          this.readProse(character, i);
          i++;
          break;

        case IN_CANDIDATE: {
          const verdict = this.candidate.read(character);
          if (verdict === true) return this.found(text);
          i = verdict === false ? this.giveUp() : i + 1;
          break;
        }

        case IN_TAG: {
          const ends = this.tag.read(character);
          if (ends === false)
            this.resumeProse(); // and reads the character again, as prose
          else {
            this.previous = character;
            i++;
            if (ends === true) this.endTag(i);
          }
          break;
        }

        case IN_THINKING:
          i++;
          if (character === LINE_FEED) this.startLine(i);
          if (this.thinking.read(character)) this.endThinking(i);
          break;
      }
    }
    this.scalar.add(text, this.offset);
    const kept = this.state === IN_CANDIDATE ? this.start : text.length;
    this.held = text.slice(kept);
    this.offset += kept;
    this.start = 0;
    return undefined;
  }

  private readProse(character: number, i: number): void {
    const { previous } = this;
    this.previous = character;
    if (character === LINE_FEED) this.startLine(i + 1);
    else if (
      character === OPEN_BRACE ||
      (character === OPEN_BRACKET && (this.opensLine || !makesIndex(previous)))
    ) {
      this.candidate.begin(character, this.opensLine);
      this.start = i;
      this.state = IN_CANDIDATE;
    } else if (character === LESS && !isQuote(previous)) {
      this.tag.begin();
      this.state = IN_TAG;
    } else if (this.lead < PROSE) this.readLead(character);
  }

  /** What is not prose yet on this line. */
  private readLead(character: number): void {
    const { lead } = this;
    if (isBlank(character)) {
      // "` x" is no fence.
      this.lead = lead === BLANK || lead >= FENCE ? BLANK : PROSE;
      return;
    }
    this.empty = false;
    if (lead === INFO) return;
    if (character === BACKTICK || character === TILDE)
      this.lead = lead + 1; // a fourth one may be the info
    else this.lead = lead === FENCE ? INFO : PROSE;
  }

  private get opensLine(): boolean {
    return this.lead === BLANK || this.lead === FENCE || this.lead === INFO;
  }

  private startLine(i: number): void {
    this.line++;
    this.lineStart = this.offset + i;
    this.lead = BLANK;
  }

  private endTag(i: number): void {
    const { opens, closes } = this.tag;
    if (opens !== undefined) {
      this.thinking.begin(opens);
      this.state = IN_THINKING;
      return;
    }
    this.state = IN_PROSE;
    this.empty = closes;
    if (closes) this.startAnswer(i);
  }

  private endThinking(i: number): void {
    this.state = IN_PROSE;
    this.lead = BLANK;
    if (this.empty) this.startAnswer(i);
  }

  /** All before was thinking. */
  private startAnswer(i: number): void {
    this.lead = BLANK;
    this.scalar.restart(this.offset + i, this.line, this.lineStart);
  }

  /** The candidate is prose: goes back to read what is behind its opening. */
  private giveUp(): number {
    this.resumeProse();
    return this.start + this.candidate.opening;
  }

  private resumeProse(): void {
    this.state = IN_PROSE;
    this.lead = PROSE;
    this.empty = false;
  }

  private found(text: string): Found {
    const { start, line, lineStart } = this;
    return { text: text.slice(start), offset: this.offset + start, line, lineStart };
  }
}

const IN_PROSE = 0;
const IN_CANDIDATE = 1;
const IN_TAG = 2;
const IN_THINKING = 3;

// What a line has so far. In between are the first two ticks of a fence.
const BLANK = 0;
const FENCE = 3; // ```
const INFO = 4; // ```js
const PROSE = 5;

function isQuote(character: number): boolean {
  return character === BACKTICK || character === QUOTE || character === APOSTROPHE;
}

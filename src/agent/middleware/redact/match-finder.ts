import { quoted } from "../../../text/cut.js";
import type { DetectedText, Detector, Detectors } from "./detector.js";

/** A part of the text that is decided: text without matches, or a match. Matches that overlap are one. */
export type DecidedPart = string | DecidedMatch;

/** A match in a text. */
export interface DecidedMatch {
  readonly text: string;
  /** The name of the detector. */
  readonly detector: string;
}

interface FoundSpan {
  readonly start: number;
  readonly end: number;
  readonly detector: string;
}

/**
 * Finds matches in a text that arrives in pieces. The matches are those of the whole text, however it is cut: a detector
 * gets a run when it has ended, or when it fills a window whose place depends on the beginning of the run alone.
 *
 * For the email detector, in which a space ends a run:
 *
 *     add("Ask ad")       → "Ask "
 *     add("a@ex.org")     →
 *     add(" today")       → { text: "ada@ex.org" }, " "
 *     end()               → "today"
 *
 * Withheld are at most the two longest matches of a detector that fit in its window, and a match that reaches into it.
 * Each character is tested once for each detector, and is in at most two windows.
 */
export class MatchFinder {
  private readonly watchers: readonly RunWatcher[];
  /** The text that is not decided yet. */
  private text = "";
  /** The place of its first character in the whole text. */
  private base = 0;
  private spans: FoundSpan[] = [];

  constructor(detectors: Detectors) {
    this.watchers = Object.entries(detectors).map(([name, detector]) =>
      watcherOf(detector, (start, end) => {
        const run = this.text.slice(start - this.base, end - this.base);
        for (const { index, 0: found } of matchesOf(detector(run), name)) {
          const span = { start: start + index, end: start + index + found.length, detector: name };
          if (found !== "") this.spans.push(span);
        }
      }),
    );
  }

  add(text: string): DecidedPart[] {
    const from = this.base + this.text.length;
    this.text += text;
    const limits = this.watchers.map((watcher) => watcher.add(text, from));
    return this.decided(Math.min(from + text.length, ...limits));
  }

  /** Ends the text. Text that is added later has no match together with it. */
  end(): DecidedPart[] {
    const end = this.base + this.text.length;
    for (const watcher of this.watchers) watcher.endRun(end);
    return this.decided(end);
  }

  /** Takes the parts before a place from which on no match begins that is not known yet. */
  private decided(limit: number): DecidedPart[] {
    const parts: DecidedPart[] = [];
    const { text, base } = this;
    let at = base;
    const take = (end: number, detector?: string): void => {
      if (end === at) return;
      const part = text.slice(at - base, end - base);
      parts.push(detector === undefined ? part : { text: part, detector });
      at = end;
    };
    const matches = joined(this.spans);
    const open = matches.findIndex(({ end }) => end > limit);
    for (const { start, end, detector } of open < 0 ? matches : matches.slice(0, open)) {
      take(start);
      take(end, detector);
    }
    take(Math.min(limit, matches[open]?.start ?? limit));
    this.spans = open < 0 ? [] : matches.slice(open);
    this.text = text.slice(at - base);
    this.base = at;
    return parts;
  }
}

/** @throws {TypeError} for what `match()` and `exec()` return instead of `matchAll()`: nothing would be redacted */
function matchesOf(found: unknown, name: string): DetectedText[] {
  const matches = isIterable(found) ? Array.from(found as Iterable<Partial<DetectedText>>) : [undefined];
  if (matches.every(isMatch)) return matches;
  throw new TypeError(
    `The detector ${quoted(name)} must return { index, 0: text } for each match, as run.matchAll(pattern) does.`,
  );
}

function isIterable(value: unknown): boolean {
  return typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === "function";
}

function isMatch(match: Partial<DetectedText> | undefined): match is DetectedText {
  return typeof match?.index === "number" && typeof match[0] === "string";
}

/** The spans in their order, those that overlap as one. It has the name of the first, or the longest of these. */
function joined(spans: FoundSpan[]): FoundSpan[] {
  const matches: FoundSpan[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = matches.at(-1);
    if (last === undefined || span.start >= last.end) matches.push(span);
    else if (span.end > last.end) matches[matches.length - 1] = { ...last, end: span.end };
  }
  return matches;
}

interface RunWatcher {
  /** @returns the place from which on nothing is decided */
  readonly add: (text: string, from: number) => number;
  readonly endRun: (end: number) => void;
}

/** Follows the runs of one detector. @param find looks for matches in a run, or in a window of it */
function watcherOf(
  { characters = /\S/, maxLength = 256 }: Detector,
  find: (start: number, end: number) => void,
): RunWatcher {
  // test() of a global pattern would go on where it stopped.
  const ofRun = new RegExp(characters.source, characters.flags.replaceAll(/[gy]/g, ""));
  /** Where the run begins, or its last window that is not full; `undefined` between two runs. */
  let window: number | undefined;
  const endRun = (end: number): void => {
    if (window !== undefined) find(window, end);
    window = undefined;
  };
  return {
    add(text, from) {
      const end = from + text.length;
      for (let at = from; at < end; at++) {
        if (!ofRun.test(text.charAt(at - from))) {
          endRun(at);
          continue;
        }
        window ??= at;
        if (at + 1 - window < 2 * maxLength) continue;
        find(window, at + 1);
        window += maxLength;
      }
      return window ?? end;
    },
    endRun,
  };
}

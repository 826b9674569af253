import type { Detector, Detectors } from "./detector.js";

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
    this.watchers = Object.entries(detectors).map(([name, detector]) => new RunWatcher(name, detector));
  }

  add(text: string): DecidedPart[] {
    const from = this.base + this.text.length;
    this.text += text;
    const limits = this.watchers.map((watcher) => watcher.add(text, from, this.find));
    return this.decided(Math.min(from + text.length, ...limits));
  }

  /** Ends the text. Text that is added later has no match together with it. */
  end(): DecidedPart[] {
    const end = this.base + this.text.length;
    for (const watcher of this.watchers) watcher.endRun(end, this.find);
    return this.decided(end);
  }

  private readonly find: FindInRun = (name, detector, start, end) => {
    const run = this.text.slice(start - this.base, end - this.base);
    for (const { index, 0: found } of detector(run)) {
      const span = { start: start + index, end: start + index + found.length, detector: name };
      if (found !== "") this.spans.push(span);
    }
  };

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

type FindInRun = (name: string, detector: Detector, start: number, end: number) => void;

/** Follows the runs of one detector. */
class RunWatcher {
  private readonly name: string;
  private readonly detector: Detector;
  private readonly characters: RegExp;
  private readonly step: number;
  /** Where the run begins, or its last window that is not full; `undefined` between two runs. */
  private window: number | undefined;

  constructor(name: string, detector: Detector) {
    const { characters = /\S/, maxLength = 256 } = detector;
    this.name = name;
    this.detector = detector;
    // test() of a global pattern would go on where it stopped.
    this.characters = new RegExp(characters.source, characters.flags.replaceAll(/[gy]/g, ""));
    this.step = maxLength;
  }

  /** @returns the place from which on nothing is decided */
  add(text: string, from: number, find: FindInRun): number {
    const end = from + text.length;
    for (let at = from; at < end; at++) {
      if (!this.characters.test(text.charAt(at - from))) {
        this.endRun(at, find);
        continue;
      }
      this.window ??= at;
      if (at + 1 - this.window < 2 * this.step) continue;
      find(this.name, this.detector, this.window, at + 1);
      this.window += this.step;
    }
    return this.window ?? end;
  }

  endRun(end: number, find: FindInRun): void {
    if (this.window !== undefined) find(this.name, this.detector, this.window, end);
    this.window = undefined;
  }
}

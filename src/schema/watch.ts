import type { JsonPlace, JsonWatch } from "../json/guard.js";
import { Kind } from "../json/kinds.js";
import type { Alternative } from "./alternative.js";
import {
  codePoints,
  problemOfArrayEnd,
  problemOfCount,
  problemOfKinds,
  problemOfObjectEnd,
  problemOfScalar,
  problemOfText,
  type Problem,
} from "./problems.js";
import type { Child, Shape } from "./shape.js";
import { excerpt, expectedBy, wordsForKeys, wordsForKinds } from "./words.js";
import { SchemaViolation, type SchemaViolationCode } from "./violation.js";

/**
 * Follows one document through the shapes of a schema. Of each open container, and of the value at hand, it knows which
 * alternatives are still possible (`live`, indices into those of the shape). What dies in a child dies in the container
 * around it when the child is complete. When the value at hand has none left, the document is lost.
 */
export class Watch implements JsonWatch {
  private readonly place: JsonPlace;
  /** Grows to the greatest depth seen. */
  private readonly frames: Frame[] = [];
  private depth = 0;

  /** The value that comes next or is being read; `undefined` for an element before it begins. */
  private shape: Shape | undefined;
  private live: readonly number[];
  /** How much of the open string has been counted. */
  private units = 0;
  private points = 0;

  constructor(root: Shape, place: JsonPlace) {
    this.place = place;
    this.shape = root;
    this.live = root.all;
  }

  key(key: string): boolean {
    const frame = this.top();
    if (frame.shape.limitsParts && !frame.keys.has(key)) {
      const count = frame.keys.size + 1;
      frame.live = this.survivors(
        frame.shape,
        frame.live,
        (alternative) => problemOfCount(alternative, count, false),
        () => `another key, ${excerpt(key)}`,
      );
    }
    frame.key = key;
    this.enter(frame, frame.shape.member(key), () => `the key ${excerpt(key)}`);
    return this.isRevealed(frame);
  }

  open(kind: number, hidden: boolean): boolean {
    const shape = this.begun();
    this.checkKinds(shape, kind);
    let frame = this.frames[this.depth];
    if (frame === undefined) this.frames.push((frame = new Frame(shape)));
    this.depth++;
    frame.open(shape, this.live, kind === Kind.ARRAY);
    this.shape = undefined;
    frame.withheld = !hidden && mustWait(frame);
    return hidden || frame.withheld;
  }

  close(): boolean {
    const frame = this.top();
    const { shape, keys, count } = frame;
    this.live = this.survivors(
      shape,
      frame.live,
      frame.isArray
        ? (alternative) => problemOfArrayEnd(alternative, count)
        : (alternative) => problemOfObjectEnd(alternative, keys),
      () => (frame.isArray ? `an array of ${count}` : wordsForMembers(keys)),
      keys,
      false,
    );
    this.depth--;
    this.shape = shape;
    return this.complete();
  }

  begin(kinds: number): boolean {
    const shape = this.begun();
    this.checkKinds(shape, kinds);
    return this.growsInSight(shape);
  }

  text(text: string, suffix: string): boolean {
    const shape = this.begun();
    if (shape.limitsText) this.count(text, suffix);
    const { points } = this;
    this.live = this.survivors(
      shape,
      this.live,
      (alternative) => problemOfText(alternative, text, points),
      () => `a string that begins with ${excerpt(text)}`,
    );
    return this.growsInSight(shape);
  }

  leaf(value: string | number | boolean | null): boolean {
    const shape = this.begun();
    this.live = this.survivors(
      shape,
      this.live,
      (alternative) => problemOfScalar(alternative, value),
      () => excerpt(value),
    );
    return this.complete();
  }

  private top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  /** The shape of the value at hand. An element is looked up when its first character is there. */
  private begun(): Shape {
    if (this.shape !== undefined) return this.shape;
    const frame = this.top();
    const { shape, count } = frame;
    const words = (): string => `one element more than ${count}`;
    if (shape.limitsParts) {
      frame.live = this.survivors(
        shape,
        frame.live,
        (alternative) => problemOfCount(alternative, count + 1, true),
        words,
      );
    }
    return this.enter(frame, shape.element(count), words);
  }

  /** A member or element is next. */
  private enter(frame: Frame, child: Child, words: () => string): Shape {
    const { allowedBy, serves, shape } = child;
    if (allowedBy !== undefined) {
      const live = frame.live.filter((index) => allowedBy.includes(index));
      if (live.length === 0) {
        throw this.violation(
          "unknown_key",
          frame.isArray ? "the end of the array" : wordsForKnown(frame),
          words(),
        );
      }
      frame.live = live;
    }
    frame.child = child;
    this.shape = shape;
    this.units = this.points = 0;
    this.live =
      frame.live.length === frame.shape.all.length
        ? shape.all
        : shape.all.filter((index) => frame.live.some((parent) => serves[index]?.includes(parent)));
    return shape;
  }

  /** The value at hand is complete. */
  private complete(): boolean {
    if (this.depth === 0) return false;
    const frame = this.top();
    if (frame.live.length > 1) {
      const serves = (frame.child as Child).serves;
      frame.live = frame.live.filter((parent) => this.live.some((index) => serves[index]?.includes(parent)));
    }
    if (frame.isArray) frame.count++;
    else if (frame.shape.tracksKeys) frame.keys.add(frame.key);
    this.shape = undefined;
    return this.isRevealed(frame);
  }

  private isRevealed(frame: Frame): boolean {
    if (!frame.withheld || mustWait(frame)) return false;
    frame.withheld = false;
    return true;
  }

  /** Nothing is shown in part that may yet turn out to be shown only whole. */
  private growsInSight({ alternatives }: Shape): boolean {
    return !this.live.some((index) => (alternatives[index] as Alternative).wholeScalars);
  }

  /** Counts only what is new: a long string that grows is costly to read. */
  private count(text: string, suffix: string): void {
    if (this.units + suffix.length === text.length) this.points += codePoints(suffix);
    else if (this.units !== text.length) this.points = codePoints(text);
    this.units = text.length;
  }

  private checkKinds(shape: Shape, kinds: number): void {
    this.live = this.survivors(
      shape,
      this.live,
      (alternative) => problemOfKinds(alternative, kinds),
      () => wordsForKinds(kinds),
    );
  }

  /**
   * The alternatives without a problem.
   *
   * @throws {SchemaViolation} if there is none
   */
  private survivors(
    { alternatives }: Shape,
    live: readonly number[],
    problemOf: (alternative: Alternative) => Problem | undefined,
    got: () => string,
    keys?: ReadonlySet<string>,
    inChild = true,
  ): readonly number[] {
    const problems: Problem[] = [];
    let alive: number[] | undefined;
    for (let i = 0; i < live.length; i++) {
      const index = live[i] as number;
      const problem = problemOf(alternatives[index] as Alternative);
      if (problem === undefined) alive?.push(index);
      else {
        alive ??= live.slice(0, i);
        problems.push(problem);
      }
    }
    if (alive === undefined) return live;
    if (alive.length > 0) return alive;
    const codes = new Set(problems.map(({ code }) => code));
    const [code] = codes;
    const expected = new Set(problems.map((problem) => expectedBy(problem, keys)));
    throw this.violation(
      codes.size === 1 && code !== undefined ? code : "no_union_member",
      [...expected].join(" or "),
      got(),
      inChild,
    );
  }

  private violation(
    code: SchemaViolationCode,
    expected: string,
    got: string,
    inChild = true,
  ): SchemaViolation {
    const { place } = this;
    return new SchemaViolation(code, {
      pointer: place.pointer(inChild),
      expected,
      got,
      value: place.snapshot(),
    });
  }
}

/** A container that is open. */
class Frame {
  shape: Shape;
  live: readonly number[] = [];
  isArray = false;
  /** The members that are complete, where that matters; and the one at hand. */
  readonly keys = new Set<string>();
  key = "";
  /** The elements that are complete. */
  count = 0;
  /** What the member or element at hand may be. */
  child: Child | undefined;
  /** Not shown, until its alternatives allow it. */
  withheld = false;

  constructor(shape: Shape) {
    this.shape = shape;
  }

  open(shape: Shape, live: readonly number[], isArray: boolean): void {
    this.shape = shape;
    this.live = live;
    this.isArray = isArray;
    this.keys.clear();
    this.count = 0;
  }
}

/** Whether nothing of the container is to be shown yet. Once it may be, it always may: alternatives only get fewer. */
function mustWait({ shape, live, isArray, keys }: Frame): boolean {
  if (live.some((index) => (shape.alternatives[index] as Alternative).whole)) return true;
  if (isArray) return false;
  if (live.length > 1 && shape.discriminators.some((key) => !keys.has(key))) return true;
  return live.some((index) => shape.awaitedBy(index).some((key) => !keys.has(key)));
}

function wordsForMembers(keys: ReadonlySet<string>): string {
  return keys.size === 0
    ? "an object without any"
    : `an object with only ${[...keys].map(excerpt).join(", ")}`;
}

function wordsForKnown({ shape, live }: Frame): string {
  const known = live.flatMap((index) =>
    (shape.alternatives[index] as Alternative).rules.flatMap(({ properties }) => [...properties.keys()]),
  );
  return known.length === 0 ? "no such key" : `only ${wordsForKeys([...new Set(known)])}`;
}

import type { JsonPlace, JsonWatch } from "../../json/guard.js";
import { Kind } from "../../json/build/kinds.js";
import type { Alternative } from "./alternative.js";
import type { JsonValue } from "../../json/value.js";
import type { Evaluation } from "../interpreter/evaluation.js";
import type { Mismatch } from "../interpreter/mismatch.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import { codePoints, jsonExcerpt, wordsForKeys, wordsForKinds } from "../values.js";
import {
  problemOfArrayEnd,
  problemOfElements,
  problemOfKinds,
  problemOfMembers,
  problemOfObjectEnd,
  problemOfScalar,
  problemOfText,
  type SchemaProblem,
} from "./problems.js";
import { mustWait, OpenContainer } from "./open-container.js";
import type { Child, Shape, Shapes } from "./shape.js";
import {
  expectedBy,
  wordsForArray,
  wordsForBeginning,
  wordsForKnown,
  wordsForNextElement,
  wordsForNextKey,
} from "./expected-words.js";
import { SchemaViolation, type SchemaViolationCode } from "./violation.js";

/**
 * Checks one document against the shapes of a schema. For each open container and for the current value it tracks the
 * alternatives that are still possible (`live`: indices into those of the shape). When a child is complete, its
 * container loses the alternatives that the child does not fit. When the current value has no alternative left, no
 * continuation can satisfy the schema.
 */
export class SchemaWatch implements JsonWatch {
  protected readonly place: JsonPlace;
  /** Reused. Its length is the greatest depth so far. */
  private readonly frames: OpenContainer[] = [];
  protected depth = 0;

  /** The shape of the current or next value; `undefined` before an element begins. */
  private shape: Shape | undefined;
  protected live: readonly number[];
  /** How many UTF-16 code units of the open string have been counted, and the number of code points. */
  private units = 0;
  protected points = 0;

  /** `undefined` once it has failed: the final check then reports why. */
  private evaluation: Evaluation | undefined;

  constructor(shapes: Shapes, place: JsonPlace) {
    this.place = place;
    this.shape = shapes.root;
    this.live = shapes.root.all;
    this.evaluation = shapes.evaluation();
  }

  key(key: string): string {
    const frame = this.top();
    const { shape, names } = frame;
    if (shape.countsKeys && !names.has(key)) this.countKey(frame, key);
    frame.key = key;
    this.enter(frame, shape.member(key));
    this.reveal(frame);
    return key;
  }

  knowsKey(key: string): boolean | undefined {
    if (this.depth === 0) return undefined;
    const { shape, live, isArray } = this.top();
    if (isArray) return undefined;
    if (shape.isNamed(key)) return true;
    const { allowedBy } = shape.member(key);
    return allowedBy === undefined || live.some((index) => allowedBy.includes(index)) ? undefined : false;
  }

  expectsKey(key: string): boolean {
    return this.depth > 0 && this.top().shape.expects(key);
  }

  allowsElement(kind: number): boolean {
    const { shape, count } = this.top();
    return shape.element(count).shape.alternatives.some(({ kinds }) => (kinds & kind) !== 0);
  }

  open(kind: number, hidden: boolean): boolean {
    const shape = this.currentShape();
    const live = this.survivors(shape, this.live, problemOfKinds, kind, 0, wordsForKinds);
    let frame = this.frames[this.depth];
    if (frame === undefined) this.frames.push((frame = new OpenContainer(shape)));
    this.depth++;
    frame.open(shape, live, kind === Kind.ARRAY);
    this.shape = undefined;
    frame.withheld = !hidden && mustWait(frame);
    return hidden || frame.withheld;
  }

  close(): void {
    const frame = this.top();
    const { shape, live } = frame;
    this.live = frame.isArray
      ? this.survivors(shape, live, problemOfArrayEnd, frame.count, 0, wordsForArray, false)
      : this.survivors(shape, live, problemOfObjectEnd, frame, 0, wordsForObjectEnd, false);
    if (shape.interprets) {
      const container = this.place.container();
      this.interpret(shape, frame.isImplied ? [container] : container, false);
    }
    this.pop(frame);
  }

  /** Checks the number of members with another one. */
  protected countKey(frame: OpenContainer, key: string): void {
    const { shape, live, names } = frame;
    frame.live = this.survivors(shape, live, problemOfMembers, key, names.size + 1, wordsForNextKey);
  }

  /** The value around the container that ends is the current one. */
  protected pop({ shape }: OpenContainer): void {
    this.depth--;
    this.shape = shape;
  }

  closed(): void {
    this.complete();
  }

  begin(kinds: number): boolean {
    const shape = this.currentShape();
    this.live = this.survivors(shape, this.live, problemOfKinds, kinds, 0, wordsForKinds);
    return this.mayShow(shape);
  }

  text(text: string, suffix: string): boolean {
    const shape = this.currentShape();
    if (shape.limitsText) this.count(text, suffix);
    this.live = this.survivors(shape, this.live, problemOfText, text, this.points, wordsForBeginning);
    return this.mayShow(shape);
  }

  leaf(value: string | number | boolean | null): JsonValue | undefined {
    const shape = this.currentShape();
    this.live = this.survivors(shape, this.live, problemOfScalar, value, 0, jsonExcerpt);
    if (shape.interprets) this.interpret(shape, value, true);
    this.complete();
    return value;
  }

  /**
   * Keeps the alternatives whose schemas the interpreter accepts for the complete value.
   *
   * @throws {SchemaViolation} if it matches none
   */
  protected interpret(shape: Shape, value: JsonValue, inChild: boolean): void {
    const { evaluation } = this;
    if (evaluation === undefined) return;
    let mismatch: Mismatch | undefined;
    try {
      const refusing = (index: number): SchemaNode | undefined =>
        shape.at(index).interpreted.find((node) => !evaluation.accepts(node, value));
      const alive = this.live.filter((index) => refusing(index) === undefined);
      if (alive.length > 0) {
        this.live = alive;
        return;
      }
      mismatch = evaluation.mismatches(refusing(this.live[0] as number) as SchemaNode, value)[0];
    } catch {
      this.evaluation = undefined;
    }
    if (mismatch === undefined) return;
    const { pointer, expected, found } = mismatch;
    throw this.violation("no_match", expected, found, inChild, pointer);
  }

  /** The container around the innermost open container. */
  protected outerContainer(): OpenContainer | undefined {
    return this.depth < 2 ? undefined : this.frames[this.depth - 2];
  }

  protected top(): OpenContainer {
    return this.frames[this.depth - 1] as OpenContainer;
  }

  /** The shape of the current value. An element is looked up at its first character. */
  protected currentShape(): Shape {
    if (this.shape !== undefined) return this.shape;
    const frame = this.top();
    const { shape, count } = frame;
    if (shape.limitsParts) {
      frame.live = this.survivors(shape, frame.live, problemOfElements, count + 1, 0, wordsForNextElement);
    }
    return this.enter(frame, shape.element(count));
  }

  /** Moves to a member or element. */
  private enter(frame: OpenContainer, child: Child): Shape {
    const { allowedBy, parents, shape } = child;
    if (allowedBy !== undefined) {
      const live = frame.live.filter((index) => allowedBy.includes(index));
      if (live.length === 0) throw this.unknownKey(frame);
      frame.live = live;
    }
    frame.child = child;
    this.shape = shape;
    this.units = this.points = 0;
    this.live =
      frame.live.length === frame.shape.all.length
        ? shape.all
        : shape.all.filter((index) => frame.live.some((parent) => parents[index]?.includes(parent)));
    return shape;
  }

  /** Handles the end of the current value. */
  protected complete(): void {
    if (this.depth === 0) return;
    const frame = this.top();
    if (frame.live.length > 1) {
      const { parents } = frame.child as Child;
      frame.live = frame.live.filter((parent) => this.live.some((index) => parents[index]?.includes(parent)));
    }
    this.finish(frame);
  }

  /** Moves on in the container after a value. */
  protected finish(frame: OpenContainer): void {
    if (frame.isArray) frame.count++;
    else frame.completeMember();
    this.shape = undefined;
    this.reveal(frame);
  }

  /** Handles the end of a member that is left out. */
  protected leaveOut(): void {
    this.shape = undefined;
    this.reveal(this.top());
  }

  /** Shows the container if nothing withholds it any more. */
  private reveal(frame: OpenContainer): void {
    if (!frame.withheld || mustWait(frame)) return;
    frame.withheld = false;
    this.place.reveal();
  }

  /** Whether the open scalar may be shown: no live alternative withholds it. */
  protected mayShow(shape: Shape): boolean {
    return !shape.hasWholeScalars || !this.live.some((index) => shape.at(index).wholeScalars);
  }

  /** Counts only the new part, because reading a long string at each chunk is costly. */
  protected count(text: string, suffix: string): void {
    if (this.units + suffix.length === text.length) this.points += codePoints(suffix);
    else if (this.units !== text.length) this.points = codePoints(text);
    this.units = text.length;
  }

  /**
   * The alternatives without a problem. Most values have one alternative and no problem, so that case comes first.
   *
   * @throws {SchemaViolation} if every alternative has a problem
   */
  protected survivors<Subject>(
    shape: Shape,
    live: readonly number[],
    check: (alternative: Alternative, subject: Subject, more: number) => SchemaProblem | undefined,
    subject: Subject,
    more: number,
    got: (subject: Subject) => string,
    inChild = true,
  ): readonly number[] {
    if (live.length === 0) throw this.violation("no_match", "no value", got(subject), inChild);
    if (live.length === 1) {
      if (check(shape.at(live[0] as number), subject, more) === undefined) return live;
    }
    const problems = live.map((index) => check(shape.at(index), subject, more));
    const alive = live.filter((_, i) => problems[i] === undefined);
    if (alive.length === live.length) return live;
    if (alive.length > 0) return alive;
    const all = problems as readonly SchemaProblem[];
    const codes = new Set(all.map(({ code }) => code));
    const [code] = codes;
    const keys = subject instanceof OpenContainer ? subject : undefined;
    const expected = new Set(all.map((problem) => expectedBy(problem, keys)));
    throw this.violation(
      codes.size === 1 && code !== undefined ? code : "no_union_member",
      [...expected].join(" or "),
      got(subject),
      inChild,
    );
  }

  private unknownKey(frame: OpenContainer): SchemaViolation {
    const { shape, live, isArray, count, key } = frame;
    if (isArray) return this.violation("unknown_key", "the end of the array", wordsForNextElement(count + 1));
    const known = wordsForKnown(live.map((index) => shape.at(index)));
    return this.violation("unknown_key", known, wordsForKeys([key]));
  }

  protected violation(
    code: SchemaViolationCode,
    expected: string,
    got: string,
    inChild = true,
    inside = "",
  ): SchemaViolation {
    const { place } = this;
    return new SchemaViolation(code, {
      pointer: `${place.pointer(inChild)}${inside}`,
      expected,
      got,
      value: place.snapshot(),
    });
  }
}

function wordsForObjectEnd(): string {
  return "the end of the object";
}

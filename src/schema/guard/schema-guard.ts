import { Kind, kindOf, kindsAtStart } from "../../json/build/kinds.js";
import type { JsonReading } from "../../json/guard.js";
import type { JsonListener, Visibility } from "../../json/handler.js";
import { tell } from "../../json/passing.js";
import { isContainer, type JsonValue } from "../../json/value.js";
import { highSurrogateAtEnd } from "../../json/scan/characters.js";
import { childPointer } from "../../tree/pointer.js";
import type { WholeValues } from "../interpreter/whole-values.js";
import type { Keys } from "../keywords/check.js";
import { codePoints, wordsForKeys } from "../values.js";
import { narrow, type Objection, objectionOf, shortestRefused } from "./narrow.js";
import { mustWait, type OpenContainer } from "./open-container.js";
import { checks, type Scalar, type SubjectCheck, type TextSoFar, wordsForKnown } from "./problems.js";
import { type Child, childrenIn, parentsOf, type Shape, type Shapes } from "./shape.js";
import { SchemaViolation } from "./violation.js";

/**
 * Checks one document against the shapes of a schema, and passes it on to the next handler. For each open container and
 * for the current value it tracks the alternatives that are still possible (`live`: indices into those of the shape).
 * When a child is complete, its container loses the alternatives that the child does not fit. When the current value
 * has no alternative left, no continuation can satisfy the schema.
 *
 * With `{"properties": {"mood": {"enum": ["good", "bad"]}}}` and the chunks `{"mood": "go`, `at"`: `open(false)` and
 * `key("mood")` find the shapes of the object and of the member. `text("go", false)` leaves one alternative, which is
 * an `enum`, so nothing is passed on. `text("at", true)` leaves none: the error is at `/mood`, with the value `{}`, and
 * names `goa`, the shortest beginning of the string that no alternative allows.
 *
 * With `{"properties": {"age": {"maximum": 120}}}`, the number of `{"age": 130` is complete at the next character, or with
 * `repair` at the one after a comma (`1,300`). Then `leaf(130)` asks the checks of a complete scalar (`endScalar()`),
 * `maximum` of `keywords/keywords.ts` refuses it, and `leaf()` throws `out_of_range`.
 */
export class SchemaGuard<Frame extends OpenContainer> implements JsonListener {
  protected readonly next: JsonListener;
  private readonly repairs: boolean;
  private readonly refuse: NonNullable<JsonReading["refuse"]>;
  private readonly createFrame: (shape: Shape) => Frame;
  /** The place of the document. */
  private readonly base: string;
  /** Reused. Its length is the greatest depth so far. */
  private readonly frames: Frame[] = [];
  protected depth = 0;

  /** The shape of the current or next value; `undefined` before an element begins. */
  private shape: Shape | undefined;
  protected live: readonly number[];
  /** Has the next handler still to learn the key of the current member? */
  protected keyWaits = false;
  /** May the open number or literal be shown? */
  protected showsScalar = false;
  /** The open string so far, its number of code points, and whether the next handler knows a part of it. */
  protected string = "";
  private points = 0;
  private isPassed = false;

  private readonly wholeValues: WholeValues | undefined;

  constructor(
    shapes: Shapes,
    next: JsonListener,
    { repairs = false, refuse = call }: JsonReading,
    createFrame: (shape: Shape) => Frame,
  ) {
    this.next = next;
    this.createFrame = createFrame;
    this.repairs = repairs;
    this.refuse = refuse;
    this.base = next.pointer(true);
    this.shape = shapes.root;
    this.live = shapes.root.all;
    this.wholeValues = shapes.wholeValues();
  }

  key(key: string): void {
    const frame = this.top();
    const { shape, names } = frame;
    frame.key = key;
    if (shape.countsKeys && !names.has(key)) this.countKey(frame, key);
    this.enter(frame, shape.member(key));
    this.showLater(frame);
    this.keyWaits = true;
  }

  open(isArray: boolean, hidden = false): void {
    const shape = this.currentShape();
    const live = this.narrowed(shape, this.live, checks.kinds, isArray ? Kind.ARRAY : Kind.OBJECT);
    const next = this.out();
    let frame = this.frames[this.depth];
    if (frame === undefined) this.frames.push((frame = this.createFrame(shape)));
    this.depth++;
    frame.open(shape, live, isArray);
    this.shape = undefined;
    frame.waits = mustWait(frame);
    frame.isHidden = hidden;
    next.open(isArray, hidden || frame.waits);
  }

  reveal(): void {
    const frame = this.top();
    frame.isHidden = false;
    if (!frame.waits) this.next.reveal();
  }

  close(): void {
    const frame = this.top();
    const { shape, live } = frame;
    this.live = frame.isArray
      ? this.narrowed(shape, live, checks.arrayEnd, frame.count, false)
      : this.narrowed<Keys>(shape, live, checks.objectEnd, frame, false);
    if (shape.interprets) {
      const mismatch = this.interpret(shape, this.next.container());
      if (mismatch !== undefined) throw this.violation(mismatch, false);
    }
    this.leave(frame);
    this.next.close();
    this.complete();
  }

  begin(kinds: number): void {
    const shape = this.currentShape();
    this.live = this.narrowed(shape, this.live, checks.kinds, kinds);
    this.showsScalar = this.mayShow(shape);
    this.announce(kinds);
  }

  show(value: number | boolean | null): void {
    if (this.showsScalar) this.out().show(value);
  }

  text(piece: string, final: boolean): void {
    const shape = this.currentShape();
    if (this.allowsAnyText(shape)) {
      if (final) this.complete();
      this.passText(piece, final);
    } else if (!final) this.grow(shape, piece);
    else {
      const whole = this.string + piece;
      if (this.endScalar(shape, whole, piece)) return;
      this.grow(shape, piece);
      throw this.violation(this.objectionTo(shape, whole));
    }
  }

  leaf(value: JsonValue): void {
    if (typeof value === "string" || isContainer(value)) {
      tell(value, this);
      return;
    }
    const shape = this.currentShape();
    if (this.endScalar(shape, value, "")) return;
    // An error is about the first character that causes it, so it does not depend on the chunks.
    this.begin(kindsAtStart(kindOf(value), this.repairs));
    this.show(value);
    throw this.violation(this.objectionTo(shape, value));
  }

  pointer(inChild: boolean): string {
    if (this.depth === 0) return this.base;
    const pointer = this.pointerOf(this.depth - 1);
    return inChild ? childPointer(pointer, this.top().name) : pointer;
  }

  snapshot(): JsonValue | undefined {
    return this.next.snapshot();
  }

  container(): JsonValue {
    return this.next.container();
  }

  hasKeys(count: number): boolean {
    return this.next.hasKeys(count);
  }

  knowsKey(key: string): boolean | undefined {
    if (this.depth === 0) return undefined;
    const { shape, live, isArray } = this.top();
    if (isArray) return undefined;
    if (shape.slots.has(key)) return true;
    const { allowedBy } = shape.member(key);
    return allowedBy === undefined || live.some((index) => allowedBy.includes(index)) ? undefined : false;
  }

  mayBeKeyAround(text: string, isWhole: boolean): boolean {
    let level = this.depth - 1;
    while (this.frames[level]?.isArray === true) level--;
    const slots = this.frames[level]?.shape.slots;
    if (slots === undefined) return false;
    if (isWhole || slots.size === 0) return slots.size === 0 || slots.has(text);
    return [...slots.keys()].some((key) => key.startsWith(text));
  }

  allowsElement(kind: number): boolean {
    const { shape, count } = this.top();
    return shape.element(count).shape.alternatives.some(({ kinds }) => (kinds & kind) !== 0);
  }

  expectsList(): boolean {
    const shape = this.currentShape();
    const { alternatives } = shape.element(0).shape;
    return (
      this.live.every((i) => (shape.at(i).kinds & containers) === Kind.ARRAY) &&
      alternatives.every(({ kinds }) => (kinds & containers) === 0)
    );
  }

  expectsMember(): boolean {
    if (this.depth === 0) return false;
    const { shape, key } = this.top();
    return shape.expects(key);
  }

  visibility(): Visibility {
    return this.frames.slice(0, this.depth).some(({ waits }) => waits) ? "hidden" : "shown";
  }

  /** The next handler, which has learnt the key of the current member. */
  protected out(): JsonListener {
    if (this.keyWaits) {
      this.keyWaits = false;
      this.next.key(this.top().key);
    }
    return this.next;
  }

  protected top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  /** The container around the innermost open container. */
  protected outer(): Frame | undefined {
    return this.frames[this.depth - 2];
  }

  private pointerOf(level: number): string {
    let known = level;
    while (known > 0 && this.frames[known]?.pointer === undefined) known--;
    for (let i = known; i <= level; i++) {
      const around = this.frames[i - 1];
      (this.frames[i] as Frame).pointer ??=
        around === undefined ? this.base : childPointer(around.pointer as string, around.name);
    }
    return this.frames[level]?.pointer as string;
  }

  /** Checks the number of members with another one. */
  protected countKey(frame: Frame, key: string): void {
    const { shape, live, names } = frame;
    frame.live = this.narrowed(shape, live, checks.members, { key, count: names.size + 1 });
  }

  /** The shape of the current value. An element is looked up at its first character. */
  protected currentShape(): Shape {
    if (this.shape !== undefined) return this.shape;
    const frame = this.top();
    const { shape, count } = frame;
    if (shape.limitsParts) frame.live = this.narrowed(shape, frame.live, checks.elements, count + 1);
    return this.enter(frame, shape.element(count));
  }

  private enter(frame: Frame, child: Child): Shape {
    const { allowedBy, shape } = child;
    if (allowedBy !== undefined) {
      const live = frame.live.filter((index) => allowedBy.includes(index));
      if (live.length === 0) throw this.unknownKey(frame);
      frame.live = live;
    }
    frame.child = child;
    this.shape = shape;
    this.string = "";
    this.points = 0;
    this.live = frame.live.length === frame.shape.all.length ? shape.all : childrenIn(child, frame.live);
    return shape;
  }

  /** The value around the container that ends is the current one. */
  protected leave({ shape }: Frame): void {
    this.depth--;
    this.shape = shape;
  }

  /** Shows a container if it need not wait any more. */
  protected showLater(frame: Frame): void {
    if (!frame.waits || mustWait(frame)) return;
    frame.waits = false;
    if (!frame.isHidden) this.next.reveal();
  }

  protected complete(): void {
    if (this.depth === 0) return;
    const frame = this.top();
    if (frame.live.length > 1) frame.live = parentsOf(frame.child as Child, this.live, frame.live);
    this.moveOn(frame);
  }

  protected moveOn(frame: Frame): void {
    frame.completePart();
    this.shape = undefined;
    this.showLater(frame);
  }

  protected leaveOut(): void {
    this.keyWaits = false;
    this.shape = undefined;
    this.showLater(this.top());
  }

  /** Whether the open scalar may be shown: no live alternative withholds it. */
  protected mayShow(shape: Shape): boolean {
    return !shape.hasWholeScalars || !this.live.some((index) => shape.at(index).wholeScalars);
  }

  /** Does any text satisfy each alternative that is left, so that it need not be kept? */
  protected allowsAnyText(shape: Shape): boolean {
    return !shape.checksText && this.live.length > 0 && this.live.every((i) => isText(shape, i));
  }

  protected showsText(shape: Shape): boolean {
    return this.mayShow(shape);
  }

  /** The alternatives of the open string with another piece. */
  private withPiece(shape: Shape, piece: string): readonly number[] {
    return this.possible(shape, this.textWith(shape, piece), this.string.length);
  }

  private textWith({ limitsText }: Shape, piece: string): TextSoFar {
    return { text: this.string + piece, points: limitsText ? this.points + codePoints(piece) : 0 };
  }

  /**
   * The alternatives that a string with this beginning may satisfy.
   *
   * @param _checked how much of the text was checked before
   */
  protected possible(shape: Shape, text: TextSoFar, _checked: number): readonly number[] {
    return narrow(shape, this.live, checks.text, text);
  }

  private grow(shape: Shape, piece: string): void {
    const live = this.withPiece(shape, piece);
    if (live.length === 0) this.refuseText(shape, piece);
    this.live = live;
    if (this.showsText(shape)) this.passText(piece, false);
    else this.announce(Kind.STRING);
    const { text, points } = this.textWith(shape, piece);
    this.string = text;
    this.points = points;
  }

  /** Passes on the text before the character at which no alternative is left. */
  private refuseText(shape: Shape, piece: string): never {
    const beginning = (length: number): string => {
      const part = piece.slice(0, length);
      return length < piece.length && highSurrogateAtEnd(part) !== "" ? part.slice(0, -1) : part;
    };
    const length = shortestRefused(piece, (each) => this.withPiece(shape, beginning(each)).length === 0);
    const before = length === 0 ? "" : beginning(length - 1);
    if (length > 0) this.grow(shape, before);
    const text = this.textWith(shape, piece.slice(before.length, length));
    throw this.violation(objectionOf(shape, this.live, checks.text, text));
  }

  /** A scalar has begun, which may be one of these kinds. */
  protected announce(kinds: number): void {
    this.out().begin(kinds);
  }

  private passText(piece: string, final: boolean): void {
    const { isPassed, string } = this;
    this.isPassed = !final;
    this.out().text(isPassed ? piece : string + piece, final);
  }

  /** Passes on a complete scalar as it was written. The next handler may know a part of it. */
  protected passScalar(value: JsonValue, piece: string): void {
    if (typeof value === "string") this.passText(piece, true);
    else this.out().leaf(value);
  }

  /**
   * A scalar is complete.
   *
   * @param piece the last piece of a string
   * @returns whether the schema allows it. Then it was passed on
   */
  protected endScalar(shape: Shape, value: Scalar, piece: string): boolean {
    const { live } = this;
    const allowed = narrow(shape, live, checks.scalar, value);
    if (allowed.length === 0) return false;
    this.live = allowed;
    if (shape.interprets && this.interpret(shape, value) !== undefined) {
      this.live = live;
      return false;
    }
    this.complete();
    this.passScalar(value, piece);
    return true;
  }

  /** Why no alternative allows the scalar. */
  protected objectionTo(shape: Shape, value: Scalar): Objection {
    const live = narrow(shape, this.live, checks.scalar, value);
    if (live.length === 0) return objectionOf(shape, this.live, checks.scalar, value);
    this.live = live;
    return this.interpret(shape, value) as Objection;
  }

  /**
   * Keeps the alternatives whose schemas the interpreter accepts for the complete value. Returns why if there are none.
   */
  protected interpret(shape: Shape, value: JsonValue): Objection | undefined {
    const { wholeValues } = this;
    const alive = this.live.filter((i) => wholeValues?.allow(shape.at(i).interpreted, value) !== false);
    if (alive.length > 0) {
      this.live = alive;
      return undefined;
    }
    const mismatch = wholeValues?.mismatch(shape.at(this.live[0] as number).interpreted, value);
    if (mismatch === undefined) return undefined;
    const { pointer, expected, found } = mismatch;
    return { code: "no_match", expected, got: found, inside: pointer };
  }

  /**
   * The alternatives without a problem.
   *
   * @throws {SchemaViolation} if there are none
   */
  protected narrowed<Subject>(
    shape: Shape,
    live: readonly number[],
    check: SubjectCheck<Subject>,
    subject: Subject,
    inChild = true,
  ): readonly number[] {
    const alive = narrow(shape, live, check, subject);
    if (alive.length === 0) throw this.violation(objectionOf(shape, live, check, subject), inChild);
    return alive;
  }

  private unknownKey(frame: Frame): unknown {
    const { shape, live, isArray, count, key } = frame;
    return this.violation({
      code: "unknown_key",
      expected: isArray ? "the end of the array" : wordsForKnown(live.map((index) => shape.at(index))),
      got: isArray ? checks.elements.got(count + 1) : wordsForKeys([key]),
    });
  }

  /** The violation, or what `refuse` throws instead of it. */
  protected violation({ inside = "", ...refusal }: Objection, inChild = true): unknown {
    return this.refuse(() => {
      const pointer = `${this.pointer(inChild)}${inside}`;
      return new SchemaViolation(refusal.code, { ...refusal, pointer, value: this.next.snapshot() });
    });
  }
}

const call = (createError: () => Error): Error => createError();

const containers = Kind.ARRAY | Kind.OBJECT;

function isText(shape: Shape, index: number): boolean {
  return (shape.at(index).kinds & Kind.STRING) !== 0;
}

import * as Kind from "../../json/build/kind.js";
import { kindOf, kindsAtStart } from "../../json/build/kinds.js";
import type { JsonReading } from "../../json/guard.js";
import type { JsonListener, Visibility } from "../../json/handler.js";
import { tell } from "../../json/passing.js";
import { isContainer, type JsonValue } from "../../json/value.js";
import type { WholeValues } from "../interpreter/interpreter.js";
import type { Keys } from "../keywords/keywords.js";
import { beginning } from "../../text/cut.js";
import { codePoints } from "../values.js";
import {
  narrow,
  type Objection,
  objectionOf,
  objectionToPart,
  objectionToWhole,
  shortestRefused,
} from "./narrow.js";
import { mustWait, type OpenContainer } from "./open-container.js";
import { OpenPath } from "./open-path.js";
import { checks, type Scalar, type SubjectCheck, type TextSoFar } from "./problems.js";
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
 * `repair` at the one after a comma (`1,300`). Then `leaf(130)` asks the checks of a complete scalar (`endScalar()`, and
 * with `coerce` that of `CoercingGuard`), `maximum` of `keywords/keywords.ts` refuses it in `problemOfScalar()`, and `leaf()`
 * throws `out_of_range`.
 */
export class SchemaGuard<Frame extends OpenContainer> implements JsonListener {
  protected readonly next: JsonListener;
  private readonly repairs: boolean;
  private readonly refuse: NonNullable<JsonReading["refuse"]>;
  protected readonly path: OpenPath<Frame>;

  /** The shape of the current or next value; `undefined` before an element begins. */
  private shape: Shape | undefined;
  protected live: readonly number[];
  /** Has the next handler still to learn the key of the current member? */
  protected keyWaits = false;
  protected showsScalar = false;
  /** The open string so far, and whether the next handler knows a part of it. */
  protected soFar: TextSoFar = noText;
  private isPassed = false;

  private readonly wholeValues: WholeValues | undefined;

  constructor(
    shapes: Shapes,
    next: JsonListener,
    { repairs = false, refuse = call }: JsonReading,
    createFrame: (shape: Shape) => Frame,
  ) {
    this.next = next;
    this.repairs = repairs;
    this.refuse = refuse;
    this.path = new OpenPath(next.pointer(true), createFrame);
    this.shape = shapes.root;
    this.live = shapes.root.all;
    this.wholeValues = shapes.wholeValues();
  }

  key(key: string): void {
    const frame = this.path.top;
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
    const frame = this.path.open(shape, live, isArray);
    this.shape = undefined;
    frame.waits = mustWait(frame);
    frame.isHidden = hidden;
    next.open(isArray, hidden || frame.waits);
  }

  reveal(): void {
    const frame = this.path.top;
    frame.isHidden = false;
    if (!frame.waits) this.next.reveal();
  }

  close(): void {
    const frame = this.path.top;
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
      const whole = this.soFar.text + piece;
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
    return this.path.pointer(inChild);
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
    return this.path.knowsKey(key);
  }

  mayBeKeyAround(text: string, isWhole: boolean): boolean {
    return this.path.mayBeKeyAround(text, isWhole);
  }

  allowsElement(kind: number): boolean {
    return this.path.allowsElement(kind);
  }

  expectsList(): boolean {
    return this.currentShape().expectsList(this.live);
  }

  expectsMember(): boolean {
    return this.path.expectsMember();
  }

  visibility(): Visibility {
    return this.path.waits ? "hidden" : "shown";
  }

  /** The next handler, which has learnt the key of the current member. */
  protected out(): JsonListener {
    if (this.keyWaits) {
      this.keyWaits = false;
      this.next.key(this.path.top.key);
    }
    return this.next;
  }

  protected countKey(frame: Frame, key: string): void {
    const { shape, live, names } = frame;
    frame.live = this.narrowed(shape, live, checks.members, { key, count: names.size + 1 });
  }

  /** The shape of the current value. An element is looked up at its first character. */
  protected currentShape(): Shape {
    if (this.shape !== undefined) return this.shape;
    const frame = this.path.top;
    const { shape, count } = frame;
    if (shape.limitsParts) frame.live = this.narrowed(shape, frame.live, checks.elements, count + 1);
    return this.enter(frame, shape.element(count));
  }

  private enter(frame: Frame, child: Child): Shape {
    const { allowedBy, shape } = child;
    if (allowedBy !== undefined) {
      const live = frame.live.filter((index) => allowedBy.includes(index));
      if (live.length === 0) throw this.violation(objectionToPart(frame));
      frame.live = live;
    }
    frame.child = child;
    this.shape = shape;
    this.soFar = noText;
    this.live = frame.live.length === frame.shape.all.length ? shape.all : childrenIn(child, frame.live);
    return shape;
  }

  /** The value around the container that ends is the current one. */
  protected leave({ shape }: Frame): void {
    this.path.depth--;
    this.shape = shape;
  }

  /** Shows a container if it need not wait any more. */
  protected showLater(frame: Frame): void {
    if (!frame.waits || mustWait(frame)) return;
    frame.waits = false;
    if (!frame.isHidden) this.next.reveal();
  }

  protected complete(): void {
    if (this.path.depth === 0) return;
    const frame = this.path.top;
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
    this.showLater(this.path.top);
  }

  protected mayShow(shape: Shape): boolean {
    return !this.live.some((index) => shape.at(index).wholeScalars);
  }

  /** Does any text satisfy each alternative that is left, so that it need not be kept? */
  protected allowsAnyText(shape: Shape): boolean {
    return shape.allowsAnyText(this.live);
  }

  protected showsText(shape: Shape): boolean {
    return this.mayShow(shape);
  }

  private textWith({ limitsText }: Shape, piece: string): TextSoFar {
    const { text, points } = this.soFar;
    return { text: text + piece, points: limitsText ? points + codePoints(piece) : 0 };
  }

  /** The alternatives that a string with this beginning may satisfy, of which `soFar` was checked before. */
  protected possible(shape: Shape, text: TextSoFar): readonly number[] {
    return narrow(shape, this.live, checks.text, text);
  }

  private grow(shape: Shape, piece: string): void {
    const soFar = this.textWith(shape, piece);
    const live = this.possible(shape, soFar);
    if (live.length === 0) this.refuseText(shape, piece);
    this.live = live;
    if (this.showsText(shape)) this.passText(piece, false);
    else this.announce(Kind.STRING);
    this.soFar = soFar;
  }

  /** Passes on the text before the character at which no alternative is left. */
  private refuseText(shape: Shape, piece: string): never {
    const length = shortestRefused(piece, (each) => {
      const text = this.textWith(shape, beginning(piece, each));
      return this.possible(shape, text).length === 0;
    });
    const before = length === 0 ? "" : beginning(piece, length - 1);
    if (length > 0) this.grow(shape, before);
    const text = this.textWith(shape, piece.slice(before.length, length));
    throw this.violation(objectionOf(shape, this.live, checks.text, text));
  }

  /** A scalar has begun, which may be one of these kinds. */
  protected announce(kinds: number): void {
    this.out().begin(kinds);
  }

  private passText(piece: string, final: boolean): void {
    const { isPassed, soFar } = this;
    this.isPassed = !final;
    this.out().text(isPassed ? piece : soFar.text + piece, final);
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
    const allowed = narrow(shape, this.live, checks.scalar, value);
    if (allowed.length === 0) return false;
    this.live = allowed;
    if (shape.interprets && this.interpret(shape, value) !== undefined) return false;
    this.complete();
    this.passScalar(value, piece);
    return true;
  }

  protected objectionTo(shape: Shape, value: Scalar): Objection {
    const live = narrow(shape, this.live, checks.scalar, value);
    if (live.length === 0) return objectionOf(shape, this.live, checks.scalar, value);
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
    return objectionToWhole(shape, this.live, wholeValues, value);
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

  /** The violation, or what `refuse` throws instead of it. */
  protected violation({ inside = "", ...refusal }: Objection, inChild = true): unknown {
    return this.refuse(() => {
      const pointer = `${this.pointer(inChild)}${inside}`;
      return new SchemaViolation(refusal.code, { ...refusal, pointer, value: this.next.snapshot() });
    });
  }
}

const noText: TextSoFar = { text: "", points: 0 };

const call = (createError: () => Error): Error => createError();

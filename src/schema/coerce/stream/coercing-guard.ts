import * as Kind from "../../../json/build/kind.js";
import { kindOf } from "../../../json/build/kinds.js";
import type { JsonCoercing } from "../../../json/coercion.js";
import type { JsonReading } from "../../../json/guard.js";
import type { JsonListener } from "../../../json/handler.js";
import { sameData } from "../../../json/patch/same-data.js";
import type { JsonArray, JsonObject, JsonValue } from "../../../json/value.js";
import { childPointer } from "../../../tree/pointer.js";
import { kindsRead, mayBecomeOther, staysText } from "../may-become-other.js";
import { isOptional, declaredName } from "../names.js";
import { leftOut, type Reader, readingsIn } from "../reader.js";
import { best, reportReading, type Reading, type Readings } from "../reading.js";
import { wordsForKeys } from "../../values.js";
import { narrow, type Objection, objectionOf } from "../../guard/narrow.js";
import { checks, problemOfScalar, problemOfText, type Scalar, type TextSoFar } from "../../guard/problems.js";
import { SchemaGuard } from "../../guard/schema-guard.js";
import { type Child, childrenIn, type Shape, type Shapes } from "../../guard/shape.js";
import {
  endingIn,
  haveSameValue,
  isAgreed,
  isContested,
  objectionToTie,
  partsOf,
  passOn,
  restsOf,
  withFewestCoercions,
  WithholdingContainer,
} from "./withheld-parts.js";

/**
 * Checks one document, and reads values that the schema does not allow as it expects them.
 *
 * A complete scalar or key is coerced. A container that is read as something else (a list of one) is withheld:
 * `WholeContainers` builds it until it ends. One object instead of a list is passed on as the element of the list.
 *
 * The first part of a container that its alternatives read differently is withheld, and so are all later parts, until
 * one reading is left or the container ends. Then the alternative with the fewest coercions decides. A container whose
 * alternatives belong to different alternatives of the container around it cannot decide alone. The next handler does
 * not learn its end yet, and its withheld parts are the first of those of the container around it.
 *
 * A union has the members `{id: number, at: number}` and `{id: string, at: string}`. Of `{"id": "7", "at": "x"}` it
 * passes on `open(false)`. `"7"` is withheld: it is 7 to one member, and `"7"` to the other. `"x"` leaves one member, so
 * `key("id")`, `leaf("7")`, `key("at")` and `leaf("x")` follow.
 */
export class CoercingGuard extends SchemaGuard<WithholdingContainer> {
  private readonly report: JsonCoercing["report"];
  private readonly reader: Reader;
  private readonly several: boolean;
  /** Whether the current member is not counted yet: it is left out if it is null. */
  private isUncounted = false;

  constructor(
    shapes: Shapes,
    next: JsonListener,
    reading: JsonReading,
    reader: Reader,
    report: JsonCoercing["report"],
  ) {
    super(shapes, next, reading, (shape) => new WithholdingContainer(shape));
    this.reader = reader;
    this.report = report;
    this.several = reading.several === true;
  }

  override key(key: string): void {
    const frame = this.path.top;
    frame.key = key;
    const written = frame.renamed?.get(key);
    if (written !== undefined) {
      const got = `${wordsForKeys([key])} after "${written}"`;
      throw this.violation({ code: "unknown_key", expected: "each key once", got });
    }
    const meant = declaredName(frame.shape, key);
    const name = frame.has(meant) ? key : meant;
    super.key(name);
    if (name === key) return;
    (frame.renamed ??= new Map<string, string>()).set(name, key);
    this.report({ pointer: this.pointer(true), kind: "key", from: key, to: name });
  }

  protected override showLater(frame: WithholdingContainer): void {
    if (frame.withheldParts === undefined) super.showLater(frame);
  }

  /** A container begins. Returns whether it is passed on while it grows. Otherwise `readContainer()` gets it. */
  opens(isArray: boolean, hidden?: boolean): boolean {
    this.countLate();
    const kind = isArray ? Kind.ARRAY : Kind.OBJECT;
    const shape = this.currentShape();
    const frame = this.innermost();
    this.live = this.able(shape, kind);
    if (frame?.withheldParts !== undefined) return false;
    const contested = isContested(frame, this.live);
    const isExpected = this.live.some((i) => (shape.at(i).kinds & kind) !== 0);
    if (isExpected && (!contested || this.agreeOn(shape, kind))) super.open(isArray, hidden);
    else if (!isArray && !contested) this.openInList(shape, hidden);
    else {
      if (contested) (frame as WithholdingContainer).withheldParts = [];
      return false;
    }
    return true;
  }

  override close(): void {
    const frame = this.path.top;
    if (frame.withheldParts !== undefined && this.leavesOpen(frame)) return;
    if (frame.isImplied) this.closeList(frame);
    else super.close();
    if (this.innermost()?.isImplied === true && !this.awaitsElement()) this.close();
  }

  awaitsElement(): boolean {
    if (!this.several || this.path.depth !== 1) return false;
    const { isImplied, shape, live, count } = this.path.top;
    return isImplied && narrow(shape, live, checks.elements, count + 1).length > 0;
  }

  override begin(kinds: number): void {
    if ((kinds & Kind.NULL) === 0) this.countLate();
    const shape = this.currentShape();
    const frame = this.innermost();
    this.live = this.able(shape, kinds);
    this.showsScalar =
      this.live.length > 0 &&
      frame?.withheldParts === undefined &&
      !isContested(frame, this.live) &&
      this.live.every((i) => (shape.at(i).kinds & kinds) !== 0) &&
      this.mayShow(shape);
  }

  override text(piece: string, final: boolean): void {
    this.countLate();
    super.text(piece, final);
  }

  override leaf(value: JsonValue): void {
    if (value !== null) this.countLate();
    super.leaf(value);
  }

  override hasKeys(count: number): boolean {
    const { withheldParts, withheldNames } = this.path.top;
    return withheldParts === undefined ? super.hasKeys(count) : withheldNames.size >= count;
  }

  override knowsKey(key: string): boolean | undefined {
    if (this.path.depth === 0) return undefined;
    const { isImplied, shape, count } = this.path.top;
    if (!isImplied) return super.knowsKey(declaredName(shape, key));
    const { shape: element } = shape.element(count);
    const before = (this.container() as JsonArray).at(-1) as JsonObject;
    return element.expects(declaredName(element, key)) || Object.hasOwn(before, key);
  }

  private innermost(): WithholdingContainer | undefined {
    return this.path.depth === 0 ? undefined : this.path.top;
  }

  private get isElement(): boolean {
    return this.innermost()?.isArray === true;
  }

  protected override countKey(frame: WithholdingContainer, key: string): void {
    this.isUncounted = frame.live.some((i) => isOptional(frame.shape.at(i), key));
    if (!this.isUncounted) super.countKey(frame, key);
  }

  private countLate(): void {
    if (!this.isUncounted) return;
    this.isUncounted = false;
    const frame = this.path.top;
    super.countKey(frame, frame.key);
  }

  /** The key of a member is passed on with its value, because it may be left out. */
  protected override announce(_kinds: number): void {}

  /** One object where a list is expected. It is the element of the list, and grows as such. */
  private openInList(shape: Shape, hidden?: boolean): void {
    this.live = this.narrowed(shape, this.live, checks.array, 1);
    super.open(true, hidden);
    this.path.top.isImplied = true;
    super.open(false);
  }

  /** Ends the list around one object, or around several at the root. */
  private closeList({ count }: WithholdingContainer): void {
    const [object] = this.next.container() as JsonArray;
    const pointer = this.pointer(false);
    super.close();
    if (count === 1)
      this.report({ pointer, kind: "list", from: object as JsonValue, to: [object as JsonValue] });
  }

  /** Whether all alternatives have a container of this kind here, so that it may be shown while it grows. */
  private agreeOn(shape: Shape, kind: number): boolean {
    return !shape.interprets && this.live.every((i) => (shape.at(i).kinds & kind) !== 0);
  }

  /** The alternatives that can read a value of one of these kinds. Throws if none can. */
  private able(shape: Shape, kinds: number): readonly number[] {
    const read = kindsRead(shape, this.isElement);
    const able = this.live.filter((i) => ((read[i] as number) & kinds) !== 0);
    if (able.length > 0) return able;
    if ((kinds & Kind.NULL) !== 0 && (this.innermost()?.optional.length ?? 0) > 0) return able;
    return this.narrowed(shape, this.live, checks.kinds, kinds);
  }

  protected override allowsAnyText(shape: Shape): boolean {
    return super.allowsAnyText(shape) && this.innermost()?.withheldParts === undefined;
  }

  protected override showsText(shape: Shape): boolean {
    const frame = this.innermost();
    if (frame?.withheldParts !== undefined) return false;
    return staysText(shape, this.live, isContested(frame, this.live)) && super.showsText(shape);
  }

  protected override possible(shape: Shape, soFar: TextSoFar): readonly number[] {
    const checked = this.soFar.text.length;
    return this.live.filter(
      (i) =>
        problemOfText(shape.at(i), soFar) === undefined ||
        mayBecomeOther(shape, i, soFar.text, checked, this.isElement),
    );
  }

  protected override endScalar(shape: Shape, value: Scalar, piece: string): boolean {
    const [only] = this.live;
    const isPlain = only !== undefined && this.live.length === 1 && !shape.interprets && value !== null;
    if (isPlain && this.innermost()?.withheldParts === undefined) {
      if (problemOfScalar(shape.at(only), value) === undefined) {
        this.complete();
        this.passScalar(value, piece);
        return true;
      }
    }
    return this.read(value, piece);
  }

  /** A container that was withheld is complete. */
  readContainer(value: JsonValue): void {
    if (!this.read(value, "")) throw this.violation(this.objectionToContainer(value));
  }

  /** The current value is complete. Returns whether it can be read. */
  private read(value: JsonValue, piece: string): boolean {
    const shape = this.currentShape();
    const frame = this.innermost();
    const readings = this.reader.read(value, shape, this.isElement);
    if (frame !== undefined && (frame.withheldParts !== undefined || isContested(frame, this.live))) {
      return this.readContested(frame, readings, value, piece);
    }
    const found = best(this.live.map((i) => readings[i]));
    if (found === undefined && value === null && frame !== undefined) {
      const { optional } = frame;
      if (optional.length > 0) {
        frame.live = optional;
        this.isUncounted = false;
        this.pass(leftOut, value, piece);
        return true;
      }
    }
    this.countLate();
    if (found === undefined) return false;
    this.live = this.live.filter((i) => {
      const reading = readings[i];
      return reading?.cost === found.cost && sameData(reading.value, found.value);
    });
    this.pass(found, value, piece);
    return true;
  }

  /** Reads a value that the alternatives of its container may read differently. */
  private readContested(
    frame: WithholdingContainer,
    readings: Readings,
    value: JsonValue,
    piece: string,
  ): boolean {
    const child = frame.child as Child;
    const live = readings.map((each, i) => (this.live.includes(i) ? each : undefined));
    const optional = value === null ? frame.optional : [];
    const found = new Map<number, Reading>();
    for (const parent of frame.live) {
      const reading =
        best(readingsIn(child, live, parent, kindOf(value))) ??
        (optional.includes(parent) ? leftOut : undefined);
      if (reading !== undefined) found.set(parent, reading);
    }
    const [first] = found.values();
    if (first === undefined) return false;
    const isDecided = found.size === frame.live.length;
    frame.live = [...found.keys()];
    if (frame.withheldParts === undefined && haveSameValue([...found.values()])) {
      this.pass(first, value, piece);
      return true;
    }
    this.withhold(frame, found);
    if (frame.live.length === 1 || (!isDecided && isAgreed(frame)))
      this.settle(frame, frame.live[0] as number);
    return true;
  }

  /** Completes the current value, and passes it on as it is read. */
  private pass(reading: Reading, written: JsonValue, piece: string): void {
    const { value, cost } = reading;
    if (cost > 0) reportReading(reading, this.pointer(true), this.report);
    if (value === undefined) {
      this.leaveOut();
      return;
    }
    this.complete();
    if (value === written && typeof value === "string") this.passScalar(value, piece);
    else this.out().leaf(value);
  }

  protected override objectionTo(shape: Shape, value: Scalar): Objection {
    const { live } = this;
    const allowed = narrow(shape, live, checks.scalar, value);
    if (allowed.length === 0) return objectionOf(shape, live, checks.scalar, value);
    return (
      (shape.interprets ? this.interpret(shape, value) : undefined) ?? objectionToTie(shape, this.live, value)
    );
  }

  private objectionToContainer(value: JsonValue): Objection {
    const shape = this.currentShape();
    const kind = kindOf(value);
    if (narrow(shape, this.live, checks.kinds, kind).length === 0)
      return objectionOf(shape, this.live, checks.kinds, kind);
    return objectionToTie(shape, this.live, value);
  }

  private withhold(frame: WithholdingContainer, readings: ReadonlyMap<number, Reading>): void {
    const { name } = frame;
    (frame.withheldParts ??= []).push({ name, readings });
    frame.withheldNames.add(name);
    this.keyWaits = false;
    this.moveOn(frame);
  }

  /** Passes on the withheld parts as this alternative reads them. */
  private settle(frame: WithholdingContainer, index: number): void {
    const parts = partsOf(frame, index);
    frame.withheldParts = undefined;
    frame.withheldNames.clear();
    const pointer = this.pointer(false);
    for (const { name, reading } of parts) {
      if (reading.cost > 0) reportReading(reading, childPointer(pointer, name as string), this.report);
      if (reading.value === undefined) frame.names.delete(name as string);
    }
    passOn(parts, this.next);
    this.showLater(frame);
  }

  /**
   * A container with withheld parts ends. Decides how they are read, or leaves that to the container around it, if the
   * choice depends on its other parts. Leaves it to `close()` to refuse a container that cannot end here.
   *
   * @throws {SchemaViolation} if no alternative can read the container, or two do so with as many coercions
   */
  private leavesOpen(frame: WithholdingContainer): boolean {
    const ending = endingIn(frame);
    if (ending.length === 0) return false;
    frame.live = ending;
    const around = this.path.outer;
    if (around === undefined || around.isImplied || !isContested(around, ending)) {
      frame.live = withFewestCoercions(frame);
      if (!isAgreed(frame)) throw this.undecided();
      this.settle(frame, frame.live[0] as number);
      return false;
    }
    const rests = restsOf(frame);
    const found = new Map<number, Reading>();
    for (const parent of around.live) {
      const reading = best(childrenIn(around.child as Child, [parent]).map((i) => rests.get(i)));
      if (reading !== undefined) found.set(parent, reading);
    }
    const [first] = found.values();
    if (first === undefined) throw this.undecided();
    around.live = [...found.keys()];
    if (haveSameValue([...found.values()])) {
      frame.live = ending.filter((i) => rests.get(i)?.value === first.value);
      this.settle(frame, ending.find((i) => rests.get(i) === first) as number);
      return false;
    }
    this.leave(frame);
    this.withhold(around, found);
    return true;
  }

  private undecided(): unknown {
    const expected = "a value of one member of the union";
    const got = "one that two members read differently";
    return this.violation({ code: "no_union_member", expected, got }, false);
  }
}

import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonPlace } from "../../json/guard.js";
import { Kind, kindOf } from "../../json/build/kinds.js";
import { sameData } from "../../json/patch/same-data.js";
import type { JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { isOptional, namesOf } from "../coerce/names.js";
import { best } from "../coerce/reading.js";
import { kindsOfSources } from "../coerce/scalar.js";
import { leftOut, Reader } from "../coerce/reader.js";
import { coercing } from "../coerce/strategy.js";
import { mayBecomeOther, staysText } from "../coerce/may-become-other.js";
import { jsonExcerpt, listed, wordsForKeys, wordsForKinds, wordsForValue } from "../values.js";
import type { Alternative } from "./alternative.js";
import { isContested } from "./withheld-parts.js";
import type { OpenContainer } from "./open-container.js";
import {
  problemOfArrayEnd,
  problemOfElements,
  problemOfKinds,
  problemOfScalar,
  problemOfText,
  type SchemaProblem,
} from "./problems.js";
import { WithholdingWatch } from "./withholding-watch.js";
import type { Shape, Shapes } from "./shape.js";
import type { SchemaViolation } from "./violation.js";
import { wordsForArray, wordsForBeginning } from "./expected-words.js";

/**
 * Checks one document, and reads values that the schema does not allow as it expects them.
 *
 * A complete scalar or key is coerced. A container that is read as something else (a list of one) is withheld until it
 * ends. One object instead of a list is shown as the element of the list.
 */
export class CoercingWatch extends WithholdingWatch {
  private readonly reader: Reader;
  /** The number of open containers inside a withheld value. */
  private withheldDepth = 0;
  /** Whether the current member is not counted yet: it is left out if it is null. */
  private isUncounted = false;
  /** The withheld container that has just ended. */
  private ended: JsonValue | undefined;

  constructor(shapes: Shapes, place: JsonPlace, options: JsonCoercing) {
    super(shapes, place, options.report);
    this.reader = new Reader(shapes.evaluation(), coercing(options));
  }

  override key(key: string): string {
    if (this.withheldDepth > 0) return key;
    const frame = this.top();
    const written = frame.renamed?.get(key);
    if (written !== undefined) {
      throw this.violation("unknown_key", "each key once", `${wordsForKeys([key])} after "${written}"`);
    }
    const meant = namesOf(frame.shape).nameOf(key);
    const name = meant === key || this.isPresent(frame, meant) ? key : meant;
    super.key(name);
    if (name === key) return key;
    (frame.renamed ??= new Map<string, string>()).set(name, key);
    const pointer = childPointer(this.place.pointer(false), name);
    this.report({ pointer, kind: "key", from: key, to: name });
    return name;
  }

  protected override countKey(frame: OpenContainer, key: string): void {
    this.isUncounted = frame.live.some((i) => isOptional(frame.shape.at(i), key));
    if (!this.isUncounted) super.countKey(frame, key);
  }

  private countLate(): void {
    if (!this.isUncounted) return;
    const frame = this.top();
    super.countKey(frame, frame.key);
    this.isUncounted = false; // the builder asks again after an error
  }

  override knowsKey(key: string): boolean | undefined {
    return this.withheldDepth > 0 ? undefined : super.knowsKey(namesOf(this.top().shape).nameOf(key));
  }

  override allowsElement(kind: number): boolean {
    return this.withheldDepth > 0 || super.allowsElement(kind);
  }

  override open(kind: number, hidden: boolean): boolean {
    if (this.withheldDepth === 0) {
      this.countLate();
      const shape = this.currentShape();
      const frame = this.innermost();
      this.live = this.able(shape, kind);
      if (frame?.withheldParts === undefined) {
        const contested = isContested(frame, this.live);
        const isExpected = this.live.some((i) => (shape.at(i).kinds & kind) !== 0);
        if (isExpected && (!contested || this.agreeOn(shape, kind))) return super.open(kind, hidden);
        if (kind === Kind.OBJECT && !contested) return this.openInList(shape, hidden);
        this.place.hold();
        if (contested) (frame as OpenContainer).withheldParts = [];
      }
    }
    this.withheldDepth++;
    return true;
  }

  override close(): void {
    if (this.withheldDepth === 0) {
      const frame = this.top();
      if (frame.withheldParts !== undefined && this.leavesOpen(frame)) return;
      super.close();
      if (this.innermost()?.isImplied === true) this.closeList();
    } else if (--this.withheldDepth === 0) this.ended = this.place.container();
  }

  override closed(): void {
    const { ended } = this;
    if (ended === undefined) {
      if (this.withheldDepth === 0) super.closed();
      return;
    }
    this.ended = undefined;
    const frame = this.innermost();
    const name = frame?.isArray === false ? { key: frame.key } : {};
    const value = this.read(ended);
    if (value !== undefined) this.place.settle([{ ...name, value }]);
  }

  override begin(kinds: number): boolean {
    if (this.withheldDepth > 0) return false;
    if ((kinds & Kind.NULL) === 0) this.countLate();
    const shape = this.currentShape();
    this.live = this.able(shape, kinds);
    const frame = this.innermost();
    if (this.live.length === 0 || frame?.withheldParts !== undefined || isContested(frame, this.live))
      return false;
    return this.live.every((i) => shape.at(i).kinds & kinds) && this.mayShow(shape);
  }

  override text(text: string, suffix: string): boolean {
    if (this.withheldDepth > 0) return false;
    this.countLate();
    const shape = this.currentShape();
    if (shape.limitsText) this.count(text, suffix);
    const [only] = this.live;
    const isAlone = only !== undefined && this.live.length === 1;
    if (!isAlone || problemOfText(shape.at(only), text, this.points) !== undefined) {
      this.live = this.ableToContinue(shape, text, text.length - suffix.length);
    }
    const frame = this.innermost();
    if (frame?.withheldParts !== undefined) return false;
    return staysText(shape, this.live, isContested(frame, this.live)) && this.mayShow(shape);
  }

  override leaf(value: string | number | boolean | null): JsonValue | undefined {
    if (this.withheldDepth > 0) return value;
    if (value !== null) this.countLate();
    const shape = this.currentShape();
    const [only] = this.live;
    const isPlain = only !== undefined && this.live.length === 1 && !shape.interprets && value !== null;
    if (isPlain && this.innermost()?.withheldParts === undefined) {
      if (problemOfScalar(shape.at(only), value) === undefined) {
        this.complete();
        return value;
      }
    }
    return this.read(value);
  }

  /** One object where a list is expected. It is the element of the list, and grows as such. */
  private openInList(shape: Shape, hidden: boolean): boolean {
    this.live = this.survivors(shape, this.live, problemOfListOf, 1, 0, wordsForArray);
    const hides = super.open(Kind.ARRAY, hidden);
    this.top().isImplied = true;
    this.place.wrap();
    return super.open(Kind.OBJECT, hides);
  }

  private closeList(): void {
    super.closed();
    const object = this.place.container();
    const pointer = this.place.pointer(false).slice(0, -"/0".length);
    super.close();
    this.report({ pointer, kind: "list", from: object, to: [object] });
  }

  /** Whether all alternatives have a container of this kind here, so that it may be shown while it grows. */
  private agreeOn(shape: Shape, kind: number): boolean {
    return !shape.interprets && this.live.every((i) => (shape.at(i).kinds & kind) !== 0);
  }

  /** The alternatives that can read a value of one of these kinds. Throws if none can. */
  private able(shape: Shape, kinds: number): readonly number[] {
    const frame = this.innermost();
    const isElement = frame?.isArray === true;
    const read = kindsRead(shape, isElement);
    const able = this.live.filter((i) => ((read[i] as number) & kinds) !== 0);
    if (able.length > 0) return able.length === this.live.length ? this.live : able;
    if ((kinds & Kind.NULL) !== 0 && frame !== undefined && this.optionalIn(frame).length > 0) return able;
    return this.survivors(shape, this.live, problemOfKinds, kinds, 0, wordsForKinds);
  }

  /** The alternatives that can read a string that begins with this text. */
  private ableToContinue(shape: Shape, text: string, checked: number): readonly number[] {
    const isElement = this.innermost()?.isArray === true;
    const able = this.live.filter(
      (i) =>
        problemOfText(shape.at(i), text, this.points) === undefined ||
        mayBecomeOther(shape, i, text, checked, isElement),
    );
    if (able.length > 0) return able;
    return this.survivors(shape, this.live, problemOfText, text, this.points, wordsForBeginning);
  }

  /**
   * Handles the end of the current value.
   *
   * @returns the value to show; `undefined` if it is left out or withheld
   */
  private read(value: JsonValue): JsonValue | undefined {
    const shape = this.currentShape();
    const frame = this.innermost();
    const readings = this.reader.read(value, shape, frame?.isArray === true);
    if (frame !== undefined && (frame.withheldParts !== undefined || isContested(frame, this.live))) {
      return this.readContested(frame, readings, value, () => this.refusal(shape, value));
    }
    const found = best(this.live.map((i) => readings[i]));
    if (found === undefined && value === null && frame !== undefined) {
      const optional = this.optionalIn(frame);
      if (optional.length > 0) {
        frame.live = optional;
        this.isUncounted = false;
        return this.show(leftOut);
      }
    }
    this.countLate();
    if (found === undefined) throw this.refusal(shape, value);
    this.live = this.live.filter((i) => {
      const reading = readings[i];
      return reading?.cost === found.cost && sameData(reading.value, found.value);
    });
    return this.show(found);
  }

  private refusal(shape: Shape, value: JsonValue): SchemaViolation {
    const isScalar = typeof value !== "object" || value === null;
    const { live } = this;
    if (isScalar) this.survivors(shape, live, problemOfScalar, value, 0, jsonExcerpt);
    else this.survivors(shape, live, problemOfKinds, kindOf(value), 0, wordsForKinds);
    if (isScalar && shape.interprets) this.interpret(shape, value, true);
    const words = live.map((i) => wordsForKinds(shape.at(i).kinds));
    return this.violation("no_union_member", listed([...new Set(words)]), wordsForValue(value));
  }
}

function problemOfListOf(alternative: Alternative, count: number): SchemaProblem | undefined {
  return problemOfElements(alternative, count) ?? problemOfArrayEnd(alternative, count);
}

const kindsByShape = new WeakMap<Shape, readonly number[]>();
const kindsByElementShape = new WeakMap<Shape, readonly number[]>();

/**
 * For each alternative of a shape, the kinds of values that it can read, coerced or not.
 *
 * @param isElement whether the value is an element of a list, which is not made a list of one
 */
function kindsRead(shape: Shape, isElement: boolean): readonly number[] {
  const byShape = isElement ? kindsByElementShape : kindsByShape;
  let kinds = byShape.get(shape);
  if (kinds === undefined) byShape.set(shape, (kinds = shape.all.map((i) => kindsOf(shape, i, isElement))));
  return kinds;
}

function kindsOf(shape: Shape, index: number, isElement: boolean): number {
  const alternative = shape.at(index);
  let kinds = alternative.kinds | kindsOfSources(alternative);
  if ((alternative.kinds & (Kind.OBJECT | Kind.ARRAY)) !== 0) kinds |= Kind.STRING;
  if ((alternative.kinds & ~Kind.ARRAY) !== 0) kinds |= Kind.ARRAY;
  if (isElement || (alternative.kinds & Kind.ARRAY) === 0) return kinds;
  const elements = kindsRead(shape.element(0).shape, true);
  return elements.reduce((all, each) => all | (each & ~Kind.NULL), kinds);
}

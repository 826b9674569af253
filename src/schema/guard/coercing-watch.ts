import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonPlace } from "../../json/guard.js";
import { Kind } from "../../json/build/kinds.js";
import { sameData } from "../../json/patch/same-data.js";
import type { JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { isOptional, namesOf } from "../coerce/names.js";
import { kindsRead } from "../coerce/kinds-read.js";
import { best, reportReading, type Reading, type Readings } from "../coerce/reading.js";
import { leftOut, Reader, readingsIn } from "../coerce/reader.js";
import { mayBecomeOther, staysText } from "../coerce/growing-text.js";
import { jsonExcerpt, kindOf, listed, wordsForKinds, wordsForValue } from "../values.js";
import type { Alternative } from "./alternative.js";
import {
  agree,
  agrees,
  endingIn,
  isContested,
  partsOf,
  restOf,
  settled,
  withFewestCoercions,
} from "./held-parts.js";
import type { OpenContainer } from "./open-container.js";
import {
  problemOfArrayEnd,
  problemOfElements,
  problemOfKinds,
  problemOfScalar,
  problemOfText,
  type SchemaProblem,
} from "./problems.js";
import { SchemaWatch } from "./schema-watch.js";
import type { Child, Shape, Shapes } from "./shape.js";
import type { SchemaViolation } from "./violation.js";
import { wordsForArray, wordsForBeginning, wordsForKeys } from "./words.js";

/**
 * Checks one document, and reads values that the schema does not allow as it expects them.
 *
 * A complete scalar or key is coerced. A container that is read as something else (a list of one) is withheld until it
 * ends. Where the alternatives of a container read a part differently, that part and all later ones are withheld until
 * one reading is left, or the container ends. Then the alternative with the fewest coercions decides.
 */
export class CoercingWatch extends SchemaWatch {
  private readonly reader: Reader;
  private readonly report: JsonCoercing["report"];
  /** The number of open containers inside a withheld value. */
  private inside = 0;
  /** Whether the container that has just ended is left open. */
  private leaves = false;
  /** The withheld container that has just ended. */
  private ended: JsonValue | undefined;

  constructor(shapes: Shapes, place: JsonPlace, { locale, report }: JsonCoercing) {
    super(shapes, place);
    this.reader = new Reader(shapes.evaluation(), locale);
    this.report = report;
  }

  override key(key: string): string {
    if (this.inside > 0) return key;
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

  override knowsKey(key: string): boolean | undefined {
    return this.inside > 0 ? undefined : super.knowsKey(namesOf(this.top().shape).nameOf(key));
  }

  override allowsElement(kind: number): boolean {
    return this.inside > 0 || super.allowsElement(kind);
  }

  override open(kind: number, hidden: boolean): boolean {
    if (this.inside === 0) {
      const shape = this.begun();
      const frame = this.around();
      this.live = this.able(shape, kind);
      if (frame?.held === undefined) {
        const contested = isContested(frame, this.live);
        const isExpected = this.live.some((i) => (alternativeOf(shape, i).kinds & kind) !== 0);
        if (isExpected && (!contested || this.agreeOn(shape, kind))) return super.open(kind, hidden);
        if (kind === Kind.OBJECT && !contested) return this.openInList(shape, hidden);
        this.place.hold();
        if (contested) (frame as OpenContainer).held = [];
      }
    }
    this.inside++;
    return true;
  }

  override close(): void {
    if (this.inside === 0) {
      const frame = this.top();
      if (frame.held !== undefined && this.leavesOpen(frame)) {
        this.pop(frame);
        return;
      }
      super.close();
      if (this.around()?.isImplied === true) this.closeList();
    } else if (--this.inside === 0) this.ended = this.place.container();
  }

  override closed(): void {
    const { ended } = this;
    if (this.leaves) {
      this.leaves = false;
      this.finish(this.top());
      return;
    }
    if (ended === undefined) {
      if (this.inside === 0) super.closed();
      return;
    }
    this.ended = undefined;
    const frame = this.around();
    const name = frame?.isArray === false ? { key: frame.key } : {};
    const value = this.read(ended);
    if (value !== undefined) this.place.settle([{ ...name, value }]);
  }

  override begin(kinds: number): boolean {
    if (this.inside > 0) return false;
    const shape = this.begun();
    this.live = this.able(shape, kinds);
    const frame = this.around();
    if (this.live.length === 0 || frame?.held !== undefined || isContested(frame, this.live)) return false;
    return this.live.every((i) => alternativeOf(shape, i).kinds & kinds) && this.growsInSight(shape);
  }

  override text(text: string, suffix: string): boolean {
    if (this.inside > 0) return false;
    const shape = this.begun();
    if (shape.limitsText) this.count(text, suffix);
    const [only] = this.live;
    const isAlone = only !== undefined && this.live.length === 1;
    if (!isAlone || problemOfText(alternativeOf(shape, only), text, this.points) !== undefined) {
      this.live = this.ableToContinue(shape, text);
    }
    const frame = this.around();
    if (frame?.held !== undefined) return false;
    return staysText(shape, this.live, isContested(frame, this.live)) && this.growsInSight(shape);
  }

  override leaf(value: string | number | boolean | null): JsonValue | undefined {
    if (this.inside > 0) return value;
    const shape = this.begun();
    const [only] = this.live;
    const isPlain = only !== undefined && this.live.length === 1 && !shape.asks && value !== null;
    if (isPlain && this.around()?.held === undefined) {
      if (problemOfScalar(alternativeOf(shape, only), value) === undefined) {
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
    return !shape.asks && this.live.every((i) => (alternativeOf(shape, i).kinds & kind) !== 0);
  }

  /**
   * Decides how the withheld parts of a container that ends are read, or leaves that to the container around it, if the
   * choice depends on its other parts.
   *
   * @throws {SchemaViolation} if no alternative can read the container, or two do so with as many coercions
   */
  private leavesOpen(frame: OpenContainer): boolean {
    const around = this.containerAround();
    if (around === undefined || around.isImplied || !isContested(around, frame.live)) {
      this.decide(frame);
      return false;
    }
    frame.live = endingIn(frame);
    const { parents } = around.child as Child;
    const found = new Map<number, { readonly index: number; readonly reading: Reading }>();
    const rests = new Map(frame.live.map((index) => [index, restOf(frame, index)]));
    for (const parent of around.live) {
      const candidates = frame.live.filter((index) => parents[index]?.includes(parent));
      const reading = best(candidates.map((index) => rests.get(index)));
      const index = candidates.find((each) => rests.get(each) === reading);
      if (reading !== undefined && index !== undefined) found.set(parent, { index, reading });
    }
    const [first] = found.values();
    if (first === undefined) throw this.undecided();
    around.live = [...found.keys()];
    if (agree([...found.values()].map(({ reading }) => reading))) {
      frame.live = [first.index];
      this.settle(frame, first.index);
      return false;
    }
    const readings = new Map([...found].map(([parent, { reading }]) => [parent, reading]));
    around.held = [{ name: around.isArray ? around.count : around.key, readings }];
    this.place.leaveOpen();
    this.leaves = true;
    return true;
  }

  private around(): OpenContainer | undefined {
    return this.depth === 0 ? undefined : this.top();
  }

  /** Whether a member with this key was read. */
  private isPresent({ held }: OpenContainer, key: string): boolean {
    return (
      Object.hasOwn(this.place.container() as object, key) || held?.some(({ name }) => name === key) === true
    );
  }

  /** The alternatives that can read a value of one of these kinds. Throws if none can. */
  private able(shape: Shape, kinds: number): readonly number[] {
    const frame = this.around();
    const isElement = frame?.isArray === true;
    const read = kindsRead(shape, isElement);
    const able = this.live.filter((i) => ((read[i] as number) & kinds) !== 0);
    if (able.length > 0) return able.length === this.live.length ? this.live : able;
    if ((kinds & Kind.NULL) !== 0 && frame !== undefined && this.optionalIn(frame).length > 0) return able;
    return this.survivors(shape, this.live, problemOfKinds, kinds, 0, wordsForKinds);
  }

  /** The alternatives that can read a string that begins with this text. */
  private ableToContinue(shape: Shape, text: string): readonly number[] {
    const isElement = this.around()?.isArray === true;
    const able = this.live.filter(
      (i) =>
        problemOfText(alternativeOf(shape, i), text, this.points) === undefined ||
        mayBecomeOther(shape, i, text, isElement),
    );
    if (able.length > 0) return able;
    return this.survivors(shape, this.live, problemOfText, text, this.points, wordsForBeginning);
  }

  /** The alternatives of an open object that allow the current member to be absent. */
  private optionalIn(frame: OpenContainer): readonly number[] {
    if (frame.isArray || this.isPresent(frame, frame.key)) return [];
    return frame.live.filter((i) => isOptional(alternativeOf(frame.shape, i), frame.key));
  }

  /**
   * Handles the end of the current value.
   *
   * @returns the value to show; `undefined` if it is left out, or withheld
   */
  private read(value: JsonValue): JsonValue | undefined {
    const shape = this.begun();
    const frame = this.around();
    const readings = this.reader.read(value, shape, frame?.isArray === true);
    if (frame !== undefined && (frame.held !== undefined || isContested(frame, this.live))) {
      return this.readContested(frame, frame.child as Child, readings, value);
    }
    const found = best(this.live.map((i) => readings[i]));
    const optional =
      found === undefined && value === null && frame !== undefined ? this.optionalIn(frame) : [];
    if (optional.length > 0) {
      (frame as OpenContainer).live = optional;
      return this.show(leftOut);
    }
    if (found === undefined) throw this.refusal(shape, value);
    this.live = this.live.filter((i) => {
      const reading = readings[i];
      return reading?.cost === found.cost && sameData(reading.value, found.value);
    });
    return this.show(found);
  }

  /** The alternatives of the container may read the value differently. */
  private readContested(
    frame: OpenContainer,
    child: Child,
    readings: Readings,
    value: JsonValue,
  ): JsonValue | undefined {
    const live = readings.map((each, i) => (this.live.includes(i) ? each : undefined));
    const optional = value === null ? this.optionalIn(frame) : [];
    const found = new Map<number, Reading>();
    for (const parent of frame.live) {
      const reading =
        best(readingsIn(child, live, parent)) ?? (optional.includes(parent) ? leftOut : undefined);
      if (reading !== undefined) found.set(parent, reading);
    }
    const [first] = found.values();
    if (first === undefined) throw this.refusal(child.shape, value);
    const isDecided = found.size === frame.live.length;
    frame.live = [...found.keys()];
    if (frame.held === undefined) {
      if (agree([...found.values()])) return this.show(first);
      this.place.hold();
      frame.held = [];
    }
    frame.held.push({ name: frame.isArray ? frame.count : frame.key, readings: found });
    this.finish(frame);
    if (frame.live.length === 1 || (!isDecided && agrees(frame))) this.settle(frame, frame.live[0] as number);
    return undefined;
  }

  /** Completes the current value. */
  private show(reading: Reading): JsonValue | undefined {
    if (reading.cost > 0) reportReading(reading, this.place.pointer(true), this.report);
    if (reading.value === undefined) this.leaveOut();
    else this.complete();
    return reading.value;
  }

  /**
   * Chooses the alternative with the fewest coercions for a container that ends.
   *
   * @throws {SchemaViolation} if two of them read the container differently
   */
  private decide(frame: OpenContainer): void {
    frame.live = withFewestCoercions(frame);
    if (!agrees(frame)) throw this.undecided();
    this.settle(frame, frame.live[0] as number);
  }

  private undecided(): SchemaViolation {
    return this.violation(
      "no_union_member",
      "a value of one member of the union",
      "one that two members read differently",
      false,
    );
  }

  private settle(frame: OpenContainer, index: number): void {
    const parts = partsOf(frame, index);
    frame.held = undefined;
    const pointer = this.place.pointer(false);
    for (const { name, reading } of parts) {
      if (reading.cost > 0) reportReading(reading, childPointer(pointer, name as string), this.report);
    }
    this.place.settle(settled(parts));
  }

  private refusal(shape: Shape, value: JsonValue): SchemaViolation {
    const isScalar = typeof value !== "object" || value === null;
    const { live } = this;
    if (isScalar) this.survivors(shape, live, problemOfScalar, value, 0, jsonExcerpt);
    else this.survivors(shape, live, problemOfKinds, kindOf(value), 0, wordsForKinds);
    if (isScalar && shape.asks) this.ask(shape, value, true);
    const words = live.map((i) => wordsForKinds(alternativeOf(shape, i).kinds));
    return this.violation("no_union_member", listed([...new Set(words)]), wordsForValue(value));
  }
}

function alternativeOf({ alternatives }: Shape, index: number): Alternative {
  return alternatives[index] as Alternative;
}

function problemOfListOf(alternative: Alternative, count: number): SchemaProblem | undefined {
  return problemOfElements(alternative, count) ?? problemOfArrayEnd(alternative, count);
}

import { kindOf } from "../../json/build/kinds.js";
import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonPlace } from "../../json/guard.js";
import type { JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { isOptional } from "../coerce/names.js";
import { best, reportReading, type Reading, type Readings } from "../coerce/reading.js";
import { leftOut, readingsIn } from "../coerce/reader.js";
import {
  endingIn,
  haveSameValue,
  isAgreed,
  isContested,
  partsOf,
  restsOf,
  settled,
  withFewestCoercions,
} from "./withheld-parts.js";
import type { OpenContainer } from "./open-container.js";
import { SchemaWatch } from "./schema-watch.js";
import type { Child, Shapes } from "./shape.js";
import type { SchemaViolation } from "./violation.js";

/**
 * Withholds the first part of a container that its alternatives read differently, and all later parts, until one reading
 * is left or the container ends. Then the alternative with the fewest coercions decides.
 *
 * A container whose alternatives belong to different alternatives of the container around it cannot decide alone. It is
 * left open, and its withheld parts are the first of those that the container around it withholds.
 */
export class WithholdingWatch extends SchemaWatch {
  protected readonly report: JsonCoercing["report"];
  /** Whether the container that has just ended in the text is left open. */
  private isLeftOpen = false;

  constructor(shapes: Shapes, place: JsonPlace, report: JsonCoercing["report"]) {
    super(shapes, place);
    this.report = report;
  }

  override closed(): void {
    if (this.isLeftOpen) this.finish(this.top());
    else super.closed();
    this.isLeftOpen = false;
  }

  /** The innermost open container. */
  protected innermost(): OpenContainer | undefined {
    return this.depth === 0 ? undefined : this.top();
  }

  /** Whether a member with this key was read. */
  protected isPresent({ withheldNames }: OpenContainer, key: string): boolean {
    return Object.hasOwn(this.place.container() as object, key) || withheldNames.has(key);
  }

  /** The alternatives of an open object that allow the current member to be absent. */
  protected optionalIn(frame: OpenContainer): readonly number[] {
    if (frame.isArray || this.isPresent(frame, frame.key)) return [];
    return frame.live.filter((i) => isOptional(frame.shape.at(i), frame.key));
  }

  /** Handles the end of a value that the alternatives of its container may read differently. */
  protected readContested(
    frame: OpenContainer,
    readings: Readings,
    value: JsonValue,
    refusal: () => SchemaViolation,
  ): JsonValue | undefined {
    const child = frame.child as Child;
    const live = readings.map((each, i) => (this.live.includes(i) ? each : undefined));
    const optional = value === null ? this.optionalIn(frame) : [];
    const found = new Map<number, Reading>();
    for (const parent of frame.live) {
      const reading =
        best(readingsIn(child, live, parent, kindOf(value))) ??
        (optional.includes(parent) ? leftOut : undefined);
      if (reading !== undefined) found.set(parent, reading);
    }
    const [first] = found.values();
    if (first === undefined) throw refusal();
    const isDecided = found.size === frame.live.length;
    frame.live = [...found.keys()];
    if (frame.withheldParts === undefined) {
      if (haveSameValue([...found.values()])) return this.show(first);
      this.place.hold();
    }
    this.keep(frame, found);
    this.finish(frame);
    if (frame.live.length === 1 || (!isDecided && isAgreed(frame)))
      this.settle(frame, frame.live[0] as number);
    return undefined;
  }

  /** Completes the current value. */
  protected show(reading: Reading): JsonValue | undefined {
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
    if (!isAgreed(frame)) throw this.undecided();
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
    frame.withheldParts = undefined;
    frame.withheldNames.clear();
    const pointer = this.place.pointer(false);
    for (const { name, reading } of parts) {
      if (reading.cost > 0) reportReading(reading, childPointer(pointer, name as string), this.report);
    }
    this.place.settle(settled(parts));
  }

  /**
   * Decides how the withheld parts of a container that ends are read, or leaves that to the container around it, if the
   * choice depends on its other parts. Leaves it to `close()` to refuse a container that cannot end here.
   *
   * @throws {SchemaViolation} if no alternative can read the container, or two do so with as many coercions
   */
  protected leavesOpen(frame: OpenContainer): boolean {
    const ending = endingIn(frame);
    if (ending.length === 0) return false;
    frame.live = ending;
    const around = this.outerContainer();
    if (around === undefined || around.isImplied || !isContested(around, frame.live)) {
      this.decide(frame);
      return false;
    }
    const { parents } = around.child as Child;
    const found = new Map<number, { readonly index: number; readonly reading: Reading }>();
    const rests = restsOf(frame);
    for (const parent of around.live) {
      const candidates = frame.live.filter((index) => parents[index]?.includes(parent));
      const reading = best(candidates.map((index) => rests.get(index)));
      const index = candidates.find((each) => rests.get(each) === reading);
      if (reading !== undefined && index !== undefined) found.set(parent, { index, reading });
    }
    const [first] = found.values();
    if (first === undefined) throw this.undecided();
    around.live = [...found.keys()];
    if (haveSameValue([...found.values()].map(({ reading }) => reading))) {
      frame.live = frame.live.filter((index) => rests.get(index)?.value === first.reading.value);
      this.settle(frame, first.index);
      return false;
    }
    const readings = new Map([...found].map(([parent, { reading }]) => [parent, reading]));
    this.keep(around, readings);
    this.place.leaveOpen();
    this.isLeftOpen = true;
    this.pop(frame);
    return true;
  }

  /** Withholds the current part of a container. */
  private keep(frame: OpenContainer, readings: ReadonlyMap<number, Reading>): void {
    const name = frame.isArray ? frame.count : frame.key;
    (frame.withheldParts ??= []).push({ name, readings });
    frame.withheldNames.add(name);
  }
}

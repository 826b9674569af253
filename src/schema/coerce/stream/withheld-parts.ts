import type { JsonHandler } from "../../../json/handler.js";
import { sameData } from "../../../json/patch/same-data.js";
import type { JsonValue } from "../../../json/value.js";
import { isOptional } from "../names.js";
import { costOf, type Reading, type ReadPart } from "../reading.js";
import { OpenContainer } from "../../guard/open-container.js";
import { narrow, type Objection } from "../../guard/narrow.js";
import { checks } from "../../guard/problems.js";
import type { Keys } from "../../keywords/keywords.js";
import { listed, wordsForKinds, wordsForValue } from "../../values.js";
import { type Child, parentsOf, type Shape } from "../../guard/shape.js";

/** A complete member or element, and how each alternative of its container reads it. */
interface WithheldPart {
  readonly name: string | number;
  readonly readings: ReadonlyMap<number, Reading>;
}

/** The state of an open container whose alternatives may read its parts differently. */
export class WithholdingContainer extends OpenContainer {
  /** A list of one object that the text does not have. */
  isImplied = false;
  /** The complete members or elements that are withheld, because the alternatives read them differently. */
  withheldParts: WithheldPart[] | undefined;
  readonly withheldNames = new Set<string | number>();
  /** The members whose keys were written differently, with those keys. */
  renamed: Map<string, string> | undefined;

  override open(shape: Shape, live: readonly number[], isArray: boolean): void {
    super.open(shape, live, isArray);
    this.isImplied = false;
    this.withheldParts = this.renamed = undefined;
    if (this.withheldNames.size > 0) this.withheldNames.clear();
  }

  /** The alternatives of an object that allow the current member to be absent. */
  get optional(): readonly number[] {
    if (this.isArray || this.has(this.key)) return [];
    return this.live.filter((i) => isOptional(this.shape.at(i), this.key));
  }
}

export function haveSameValue([first, ...others]: readonly Reading[]): boolean {
  return others.every((reading) => sameData([first?.value], [reading.value]));
}

/** Whether all alternatives that are left read the withheld parts alike. */
export function isAgreed({ withheldParts = [], live }: WithholdingContainer): boolean {
  return withheldParts.every(({ readings }) => haveSameValue(live.flatMap((i) => readings.get(i) ?? [])));
}

/** The withheld parts as one alternative reads them. */
export function partsOf({ withheldParts = [] }: WithholdingContainer, index: number): ReadPart[] {
  return withheldParts.map(({ name, readings }) => ({ name, reading: readings.get(index) as Reading }));
}

/** For each alternative, its readings of the withheld parts as one part of the container around it. */
export function restsOf(frame: WithholdingContainer): ReadonlyMap<number, Reading> {
  const different: (readonly JsonValue[])[] = [];
  return new Map(
    frame.live.map((index) => {
      const rest = partsOf(frame, index);
      // A member that is left out differs from any value.
      const values = rest.map(({ reading: { value } }) => (value === undefined ? [] : [value]));
      let value = different.findIndex((each) => sameData(each, values));
      if (value < 0) value = different.push(values) - 1;
      return [index, { value, cost: costOf(rest), parts: rest, isOpen: true }];
    }),
  );
}

/** Passes on the parts, and ends the containers that were left open. */
export function passOn(parts: readonly ReadPart[], next: JsonHandler): void {
  for (const { name, reading } of parts) {
    const { value, parts: inner = [], isOpen } = reading;
    if (isOpen) {
      passOn(inner, next);
      next.close();
    } else if (value !== undefined) {
      if (typeof name === "string") next.key(name);
      next.leaf(value);
    }
  }
}

/** The alternatives that a container that ends here may match. */
export function endingIn(frame: WithholdingContainer): readonly number[] {
  const { shape, live, isArray, count } = frame;
  return isArray
    ? narrow(shape, live, checks.arrayEnd, count)
    : narrow<Keys>(shape, live, checks.objectEnd, frame);
}

export function withFewestCoercions(frame: WithholdingContainer): readonly number[] {
  const costs = frame.live.map((i) => ({ i, cost: costOf(partsOf(frame, i)) }));
  const fewest = costs.reduce((least, { cost }) => Math.min(least, cost), Infinity);
  return costs.filter(({ cost }) => cost === fewest).map(({ i }) => i);
}

/**
 * Whether the current value of a container belongs to some of its alternatives, and not to others that are possible.
 *
 * @param live the possible alternatives of the value
 */
export function isContested(frame: OpenContainer | undefined, live: readonly number[]): boolean {
  if (frame === undefined || frame.live.length < 2) return false;
  const child = frame.child as Child;
  const able = parentsOf(child, live, frame.live);
  return live.some((i) => parentsOf(child, [i], able).length < able.length);
}

/** Describes that several alternatives read the value differently, with as many coercions. */
export function objectionToTie(shape: Shape, live: readonly number[], value: JsonValue): Objection {
  const words = live.map((i) => wordsForKinds(shape.at(i).kinds));
  return { code: "no_union_member", expected: listed([...new Set(words)]), got: wordsForValue(value) };
}

import { sameData } from "../../json/patch/same-data.js";
import type { SettledValue } from "../../json/guard.js";
import type { JsonValue } from "../../json/value.js";
import { costOf, type Reading, type ReadPart } from "../coerce/reading.js";
import type { OpenContainer } from "./open-container.js";
import { problemOfArrayEnd, problemOfObjectEnd } from "./problems.js";
import type { Child } from "./shape.js";

/** Whether the readings have the same value. */
export function haveSameValue([first, ...others]: readonly Reading[]): boolean {
  return others.every((reading) => sameData([first?.value], [reading.value]));
}

/** Whether all alternatives that are left read the withheld parts alike. */
export function isAgreed({ withheldParts = [], live }: OpenContainer): boolean {
  return withheldParts.every(({ readings }) => haveSameValue(live.flatMap((i) => readings.get(i) ?? [])));
}

/** The withheld parts as one alternative reads them. */
export function partsOf({ withheldParts = [] }: OpenContainer, index: number): ReadPart[] {
  return withheldParts.map(({ name, readings }) => ({ name, reading: readings.get(index) as Reading }));
}

/** For each alternative, its readings of the withheld parts as one part, the *rest*, of the container around it. */
export function restsOf(frame: OpenContainer): ReadonlyMap<number, Reading> {
  const different: (readonly JsonValue[])[] = [];
  return new Map(
    frame.live.map((index) => {
      const parts = partsOf(frame, index);
      // A member that is left out differs from any value.
      const values = parts.map(({ reading: { value } }) => (value === undefined ? [] : [value]));
      let value = different.findIndex((each) => sameData(each, values));
      if (value < 0) value = different.push(values) - 1;
      return [index, { value, cost: costOf(parts), parts, isRest: true }];
    }),
  );
}

/** The values to put into a container. */
export function settled(parts: readonly ReadPart[]): SettledValue[] {
  return parts.flatMap(({ name, reading: { value, isRest, parts: inside = [] } }): SettledValue[] => {
    if (isRest === true) return [{ rest: settled(inside) }];
    if (value === undefined) return [];
    return [typeof name === "string" ? { key: name, value } : { value }];
  });
}

/** The alternatives that a container that ends here may match. */
export function endingIn(frame: OpenContainer): readonly number[] {
  const { shape, live, isArray, count } = frame;
  return live.filter((i) => {
    const alternative = shape.at(i);
    return (
      (isArray ? problemOfArrayEnd(alternative, count) : problemOfObjectEnd(alternative, frame)) === undefined
    );
  });
}

/** The alternatives with the fewest coercions. */
export function withFewestCoercions(frame: OpenContainer): readonly number[] {
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
  const { parents } = frame.child as Child;
  const able = frame.live.filter((parent) => live.some((i) => parents[i]?.includes(parent)));
  return live.some((i) => able.some((parent) => parents[i]?.includes(parent) !== true));
}

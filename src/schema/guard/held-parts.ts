import { sameData } from "../../json/patch/same-data.js";
import type { Reading } from "../coerce/reading.js";
import type { Alternative } from "./alternative.js";
import type { OpenContainer } from "./open-container.js";
import { problemOfObjectEnd } from "./problems.js";
import type { Child } from "./shape.js";

/** Whether the readings give the same value. */
export function agree([first, ...others]: readonly Reading[]): boolean {
  return others.every((reading) => sameData([first?.value], [reading.value]));
}

/** Whether all alternatives that are left read the withheld parts alike. */
export function agrees({ held = [], live }: OpenContainer): boolean {
  return held.every(({ readings }) => agree(live.flatMap((i) => readings.get(i) ?? [])));
}

/** The alternatives with the fewest coercions, of those that a container that ends here may match. */
export function withFewestCoercions(frame: OpenContainer): readonly number[] {
  const { shape, live, held = [], isArray } = frame;
  const ending = live.filter(
    (i) => isArray || problemOfObjectEnd(shape.alternatives[i] as Alternative, frame) === undefined,
  );
  const costs = (ending.length > 0 ? ending : live).map((i) => ({
    i,
    cost: held.reduce((cost, { readings }) => cost + (readings.get(i)?.cost ?? 0), 0),
  }));
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

import { Kind } from "../../../json/build/kinds.js";
import { kindsOfSources } from "../scalar.js";
import type { Shape } from "../../guard/shape.js";

const kindsByShape = new WeakMap<Shape, readonly number[]>();
const kindsByElementShape = new WeakMap<Shape, readonly number[]>();

/**
 * For each alternative of a shape, the kinds of values that it can read, coerced or not.
 *
 * @param isElement whether the value is an element of a list, which is not made a list of one
 */
export function kindsRead(shape: Shape, isElement: boolean): readonly number[] {
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

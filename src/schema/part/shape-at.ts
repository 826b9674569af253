import * as Kind from "../../json/build/kind.js";
import { isObject, type JsonValue, valueAt } from "../../json/value.js";
import { isIndex } from "../../tree/pointer.js";
import { declaredName } from "../coerce/names.js";
import { ofKind } from "../guard/alternative.js";
import { problemOfScalar } from "../guard/problems.js";
import { type Child, childrenIn, parentsOf, type Shape, type Shapes } from "../guard/shape.js";

/** The shape that a schema has at one place of a document. */
export interface ShapeAtPlace {
  readonly shape: Shape;
  /** The keys that lead there. A key that differs from a declared one only in case and punctuation is that one. */
  readonly keys: readonly string[];
}

/**
 * Finds the shape at a place of a document. In a union, the members of the document decide which alternatives are
 * possible: `{"type": "Card"}` has the properties of a card.
 *
 * @returns the keys up to the first one that the schema does not allow, if it has no shape there
 */
export function shapeAt(
  shapes: Shapes,
  keys: readonly string[],
  document: JsonValue,
): ShapeAtPlace | readonly string[] {
  let shape = shapes.root;
  let value: JsonValue | undefined = document;
  const found: string[] = [];
  for (const written of keys) {
    const isArray = Array.isArray(value) || (value === undefined && (written === "-" || isIndex(written)));
    const container = shapes.shapeOf(ofKind(shape.alternatives, isArray ? Kind.ARRAY : Kind.OBJECT));
    let key = written;
    let child: Child;
    let live = container.all;
    if (isArray) child = container.element(isIndex(key) ? Number(key) : Number.MAX_SAFE_INTEGER);
    else {
      live = possible(container, value);
      const meant = declaredName(container, key);
      if (!(isObject(value) && Object.hasOwn(value, key))) key = meant;
      child = container.member(key);
    }
    const allowed = child.allowedBy === undefined ? live : live.filter((it) => child.allowedBy?.includes(it));
    found.push(key);
    if (allowed.length === 0 || child.shape.all.length === 0) return found;
    shape = shapes.shapeOf(childrenIn(child, allowed).map((i) => child.shape.at(i)));
    value = valueAt(value, [key]);
  }
  return { shape, keys: found };
}

/** The alternatives whose discriminators are those of the object; all if it contradicts each of them. */
function possible(shape: Shape, value: JsonValue | undefined): readonly number[] {
  if (!isObject(value)) return shape.all;
  let live = shape.all;
  for (const key of shape.discriminators) {
    const written = Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof written === "object" || written === undefined) continue;
    const child = shape.member(key);
    const fitting = child.shape.all.filter((i) => problemOfScalar(child.shape.at(i), written) === undefined);
    live = parentsOf(child, fitting, live);
  }
  return live.length === 0 ? shape.all : live;
}

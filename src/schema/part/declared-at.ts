import * as Kind from "../../json/build/kind.js";
import { isIndex, pointerTo } from "../../tree/pointer.js";
import { wordsForKinds } from "../values.js";
import { either, ofKind, type Alternative } from "../guard/alternative.js";
import type { Shapes } from "../guard/shape.js";

/**
 * The members that the schema names for the object at a place, given as the keys that lead there. In a union, those that
 * all alternatives name.
 */
export function declaredAt(shapes: Shapes, keys: readonly string[]): readonly string[] {
  const objects = ofKind(alternativesAt(shapes, keys).alternatives, Kind.OBJECT);
  const named = objects.map(
    ({ rules }) => new Set(rules.flatMap(({ properties }) => [...properties.keys()])),
  );
  const [first = new Set<string>(), ...others] = named;
  return [...first].filter((name) => others.every((names) => names.has(name)));
}

/**
 * Checks that the schema allows an array at a place, given as the keys that lead there.
 *
 * A key that the schema does not name is allowed unless the schema closes the object (`additionalProperties: false`).
 *
 * @throws {TypeError} if the schema rules the place out, or has something else there
 */
export function requireArrayAt(shapes: Shapes, keys: readonly string[]): void {
  const { alternatives, allowed } = alternativesAt(shapes, keys);
  const place = allowed === 0 ? "the root" : JSON.stringify(pointerTo(keys.slice(0, allowed)));
  if (allowed < keys.length)
    throw new TypeError(`The schema has no ${JSON.stringify(keys[allowed])} at ${place}.`);
  if (ofKind(alternatives, Kind.ARRAY).length > 0) return;
  const kinds = alternatives.reduce((all, alternative) => all | alternative.kinds, 0);
  throw new TypeError(`Expected an array at ${place}, but the schema has ${wordsForKinds(kinds)} there.`);
}

/** The alternatives of the schema at a place, and how many of the keys that lead there the schema allows. */
function alternativesAt(
  shapes: Shapes,
  keys: readonly string[],
): { readonly alternatives: readonly Alternative[]; readonly allowed: number } {
  let { alternatives } = shapes.root;
  for (const [index, key] of keys.entries()) {
    const objects = shapes.shapeOf(ofKind(alternatives, Kind.OBJECT));
    const arrays = shapes.shapeOf(isIndex(key) ? ofKind(alternatives, Kind.ARRAY) : []);
    alternatives = either([
      objects.member(key).shape.alternatives,
      arrays.element(Number(key)).shape.alternatives,
    ]);
    if (alternatives.length === 0) return { alternatives, allowed: index };
  }
  return { alternatives, allowed: keys.length };
}

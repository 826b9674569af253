import { Kind } from "../../json/build/kinds.js";
import { isIndex } from "../../tree/pointer.js";
import type { Schema } from "../schema.js";
import { either, type Alternative } from "./alternative.js";
import { shapesOf } from "./shape.js";

/**
 * The members that the schema names for the object at a place, given as the keys that lead there. In a union, those of
 * all.
 */
export function declaredAt(schema: Schema<unknown>, keys: readonly string[]): readonly string[] {
  const shapes = shapesOf(schema);
  const ofKind = (alternatives: readonly Alternative[], kind: number): readonly Alternative[] =>
    alternatives.filter(({ kinds }) => (kinds & kind) !== 0);
  let { alternatives } = shapes.root;
  for (const key of keys) {
    const objects = shapes.shapeOf(ofKind(alternatives, Kind.OBJECT));
    const arrays = shapes.shapeOf(isIndex(key) ? ofKind(alternatives, Kind.ARRAY) : []);
    alternatives = either([
      objects.member(key).shape.alternatives,
      arrays.element(Number(key)).shape.alternatives,
    ]);
  }
  const named = ofKind(alternatives, Kind.OBJECT).map(
    ({ rules }) => new Set(rules.flatMap(({ properties }) => [...properties.keys()])),
  );
  const [first = new Set<string>(), ...others] = named;
  return [...first].filter((name) => others.every((names) => names.has(name)));
}

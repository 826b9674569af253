import { Kind } from "../../json/build/kinds.js";
import { childPointer, isIndex } from "../../tree/pointer.js";
import type { Schema } from "../schema.js";
import { wordsForKinds } from "../values.js";
import { either, type Alternative } from "./alternative.js";
import { shapesOf } from "./shape.js";

/**
 * Checks that the schema allows an array at a place, given as the keys that lead there.
 *
 * A key that the schema does not name is allowed unless the schema closes the object (`additionalProperties: false`).
 *
 * @throws {TypeError} if the schema rules the place out, or has something else there
 */
export function requireArrayAt(schema: Schema<unknown>, keys: readonly string[]): void {
  const shapes = shapesOf(schema);
  const ofKind = (alternatives: readonly Alternative[], kind: number): readonly Alternative[] =>
    alternatives.filter(({ kinds }) => (kinds & kind) !== 0);
  let { alternatives } = shapes.root;
  let pointer = "";
  for (const key of keys) {
    const objects = shapes.shapeOf(ofKind(alternatives, Kind.OBJECT));
    const arrays = shapes.shapeOf(isIndex(key) ? ofKind(alternatives, Kind.ARRAY) : []);
    alternatives = either([
      objects.member(key).shape.alternatives,
      arrays.element(Number(key)).shape.alternatives,
    ]);
    if (alternatives.length === 0)
      throw new TypeError(`The schema has no ${JSON.stringify(key)} at ${place(pointer)}.`);
    pointer = childPointer(pointer, key);
  }
  if (ofKind(alternatives, Kind.ARRAY).length > 0) return;
  const kinds = alternatives.reduce((all, alternative) => all | alternative.kinds, 0);
  throw new TypeError(
    `Expected an array at ${place(pointer)}, but the schema has ${wordsForKinds(kinds)} there.`,
  );
}

function place(pointer: string): string {
  return pointer === "" ? "the root" : JSON.stringify(pointer);
}

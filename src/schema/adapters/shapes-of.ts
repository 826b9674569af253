import type { Schema } from "../schema.js";
import { Expansion } from "../guard/expansion.js";
import { knownShapesOf, withShapes } from "../guard/known-shapes.js";
import { Shapes } from "../guard/shape.js";
import { checkedSource } from "./document-source.js";

/** The shapes of any schema, made once. */
export function shapesOf(schema: Schema<unknown>): Shapes {
  const create = (): Shapes => new Shapes(new Expansion(checkedSource(() => schema.streamSchema)));
  return knownShapesOf(schema) ?? withShapes(schema, create)();
}

import type { Schema } from "../schema.js";
import type { Shapes } from "./shape.js";

const shapesBySchema = new WeakMap<Schema<unknown>, () => Shapes>();

/** Sets how the shapes of a schema are made. They are made once, on first use. Returns them. */
export function withShapes(schema: Schema<unknown>, create: () => Shapes): () => Shapes {
  let shapes: Shapes | undefined;
  const once = (): Shapes => (shapes ??= create());
  shapesBySchema.set(schema, once);
  return once;
}

/** The shapes of a schema for which `withShapes()` was called. */
export function knownShapesOf(schema: Schema<unknown>): Shapes | undefined {
  return shapesBySchema.get(schema)?.();
}

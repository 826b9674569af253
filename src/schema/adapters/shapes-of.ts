import { documentSource } from "../adapters/document-source.js";
import { SchemaDocument } from "../interpreter/schema-document.js";
import type { Schema } from "../schema.js";
import { Expansion } from "../guard/expansion.js";
import { knownShapesOf, withShapes } from "../guard/known-shapes.js";
import { Shapes } from "../guard/shape.js";

/** The shapes of any schema, made once. A schema without a usable JSON Schema allows anything here. */
export function shapesOf(schema: Schema<unknown>): Shapes {
  return knownShapesOf(schema) ?? withShapes(schema, () => createShapes(schema))();
}

function createShapes(schema: Schema<unknown>): Shapes {
  return new Shapes(new Expansion(documentSource(documentOf(schema), false)));
}

function documentOf(schema: Schema<unknown>): SchemaDocument {
  try {
    return new SchemaDocument(schema.streamSchema);
  } catch {
    return new SchemaDocument({}); // The schema's own check and `jsonSchema` report it.
  }
}

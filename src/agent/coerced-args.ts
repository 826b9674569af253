import type { JsonCoercion } from "../json/coercion.js";
import { isObject, type JsonObject } from "../json/value.js";
import { coerceValue, type CoerceOptions } from "../schema/coerce/coerce-value.js";
import type { Schema } from "../schema/schema.js";
import { schemaOf } from "../schema/schema-of.js";
import type { AnyTool } from "../tools/run/any-tool.js";

const schemas = new WeakMap<AnyTool, Schema<unknown>>();

/** The schema of the arguments that the model writes. */
function schemaOfTool(tool: AnyTool): Schema<unknown> {
  let schema = schemas.get(tool);
  if (schema === undefined) schemas.set(tool, (schema = schemaOf(tool.schema ?? tool.parameters)));
  return schema;
}

/** Reads the arguments that a model or a person has written as the schema of the tool expects them. */
export function coercedArgs(
  tool: AnyTool,
  args: JsonObject,
  options: CoerceOptions = {},
): { readonly args: JsonObject; readonly coercions?: readonly JsonCoercion[]; readonly problem?: string } {
  const found = coerceValue(args, schemaOfTool(tool), options);
  if (found?.problem !== undefined) return { args, problem: found.problem };
  return isObject(found?.value) ? { args: found.value, coercions: found.coercions } : { args };
}

import type { JsonCoercion } from "../json/coercion.js";
import { isObject, type JsonObject } from "../json/value.js";
import { coerceValue, type CoerceOptions } from "../schema/coerce/coerce-value.js";
import { schemaOf } from "../schema/schema-of.js";
import { madeOnce } from "../tree/made-once.js";
import type { AnyTool } from "../tools/run/any-tool.js";

/** The schema of the arguments that the model writes. */
const schemaOfTool = madeOnce(({ schema, parameters }: AnyTool) => schemaOf(schema ?? parameters));

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

import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { mapSchema, withoutKeywords } from "../map-schema.js";
import { wordSet } from "../../text/words-in.js";

/**
 * A JSON Schema for values that further operations complete: without the rules that a part can break although the whole
 * will not, such as `required` and `minItems`. A discriminator (a required member with a `const`) stays
 * required, because the other members depend on it.
 */
export function partialSchema(schema: JsonObject): JsonObject {
  return mapSchema(schema, (each) => {
    const { required, ...others } = withoutKeywords(each, keywordsOfWholes);
    const { properties } = each;
    const kept = Array.isArray(required)
      ? required.filter((key) => typeof key === "string" && isObject(properties) && isNamed(properties[key]))
      : [];
    return kept.length === 0 ? others : { ...others, required: kept };
  });
}

function isNamed(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const { enum: options } = schema;
  return "const" in schema || (Array.isArray(options) && options.length === 1);
}

const keywordsOfWholes = wordSet(`
  minItems minProperties minLength pattern contains minContains maxContains dependencies dependentRequired
  dependentSchemas not if then else
`);

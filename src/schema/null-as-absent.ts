import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { shapesOf } from "./adapters/shapes-of.js";
import { combinedSchema } from "./combined.js";
import { withoutNulls } from "./coerce/without-nulls.js";
import { mapSchema, mapValues, withoutKeywords } from "./map-schema.js";
import { type Schema, type Validation, thenOrNow } from "./schema.js";
import { wordSet } from "../text/words-in.js";
import { madeOnce } from "../tree/made-once.js";

/**
 * The schema for a model that writes `null` for an absent property, as the strict mode of some providers requires. Such
 * a null is removed before the check. A null that the schema allows is kept.
 *
 * @param coerces whether the guard coerces values: it then leaves such a null out itself, also of partial values
 */
export function withNullAsAbsent<T>(schema: Schema<T>, coerces: boolean): Schema<T> {
  return (coerces ? withCoercedNulls : withNulls)(schema) as Schema<T>;
}

const withCoercedNulls = madeOnce((schema: Schema<unknown>) => createWithNulls(schema, true));
const withNulls = madeOnce((schema: Schema<unknown>) => createWithNulls(schema, false));

function createWithNulls(schema: Schema<unknown>, coerces: boolean): Schema<unknown> {
  return combinedSchema({
    get name() {
      return schema.name;
    },
    write: (kind) =>
      kind === "jsonSchema"
        ? schema.jsonSchema
        : mapSchema(schema.streamSchema, (it) => withNullForOptional(it, coerces)),
    warnings: () => schema.warnings,
    validate(value) {
      return thenOrNow(schema.validate(value), (validation) => {
        if (validation.issues === undefined) return validation;
        const places = validation.issues.map(({ pointer }) => pointer);
        // Reports the issues of what the model wrote, not those of a copy.
        return firstValid(
          schema,
          withoutNulls(value as JsonValue, shapesOf(schema).root, new Set(places)),
          validation,
        );
      });
    },
  });
}

function firstValid<T>(
  schema: Schema<T>,
  [value, ...others]: readonly JsonValue[],
  otherwise: Validation<T>,
): Validation<T> | Promise<Validation<T>> {
  if (value === undefined) return otherwise;
  return thenOrNow(schema.validate(value), (validation) =>
    validation.issues === undefined ? validation : firstValid(schema, others, otherwise),
  );
}

/**
 * Allows a null for each member that is not required, and drops the rules that such a null may break. Coercion leaves
 * the nulls of properties out.
 */
function withNullForOptional({ oneOf, ...schema }: JsonObject, coerces: boolean): JsonObject {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const widened = mapValues(withoutKeywords(schema, brokenByNull), (value, keyword) => {
    if (keyword === "additionalProperties") return orNull(value);
    const isNamed = keyword === "properties" && !coerces;
    if ((!isNamed && keyword !== "patternProperties") || !isObject(value)) return value;
    return mapValues(value, (member, name) => (isNamed && required.has(name) ? member : orNull(member)));
  });
  const allOf = [schema["allOf"] ?? [], { anyOf: oneOf ?? [] }].flat();
  return { ...widened, ...(Array.isArray(oneOf) && { allOf }) };
}

function orNull(schema: JsonValue): JsonValue {
  return isObject(schema) ? { anyOf: [schema, { type: "null" }] } : schema;
}

/** More members of a `oneOf` match with nulls, so it becomes an `anyOf`. */
const brokenByNull = wordSet(`
  maxProperties not if then else contains minContains maxContains uniqueItems dependentRequired
  dependentSchemas dependencies unevaluatedItems unevaluatedProperties
`);

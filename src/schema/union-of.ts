import type { JsonObject } from "../json/value.js";
import { asPart, combinedSchema } from "./combined.js";
import { draftOf } from "./interpreter/draft.js";
import { type Schema, thenOrNow, type Validation } from "./schema.js";

/** The schema of a value that satisfies one of several schemas. Validation returns what the first of them returns. */
export function unionOf<T>(schemas: readonly Schema<T>[]): Schema<T> {
  const [first] = schemas;
  if (first !== undefined && schemas.length === 1) return first;
  return combinedSchema<T>({
    name: "output",
    write: (kind) => anyOf(schemas.map((each) => each[kind])),
    warnings: () => schemas.flatMap(({ warnings }) => warnings),
    validate: (value) => firstValid(schemas, value),
  });
}

function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const $defs: JsonObject = {};
  const parts = schemas.map((schema, index) => asPart(schema, $defs, `option_${index + 1}`));
  return { ...sharedDraft(schemas), anyOf: parts, ...(Object.keys($defs).length > 0 && { $defs }) };
}

/** The `$schema` of schemas that are all of one older draft. */
function sharedDraft([first, ...others]: readonly JsonObject[]): JsonObject {
  const $schema = first?.["$schema"];
  if ($schema === undefined || draftOf({ $schema }) === draftOf({})) return {};
  return others.every((each) => each["$schema"] === $schema) ? { $schema } : {};
}

/** If none matches, the issues are those of the schema with the fewest: most likely the model meant that one. */
function firstValid<T>(
  [schema, ...others]: readonly Schema<T>[],
  value: unknown,
  best?: Validation<T>,
): Validation<T> | Promise<Validation<T>> {
  if (schema === undefined) return best ?? { issues: [] };
  return thenOrNow(schema.validate(value), (validation) => {
    if (validation.issues === undefined) return validation;
    const fewer = best?.issues === undefined || validation.issues.length < best.issues.length;
    return firstValid(others, value, fewer ? validation : best);
  });
}

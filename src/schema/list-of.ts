import { isObject, type JsonObject } from "../json/value.js";
import { asCombined, asPart } from "./combined.js";
import type { Schema, SchemaIssue, Validation } from "./schema.js";

/** The member of the object that holds the list. */
export const elementsKey = "elements";

/**
 * The schema of a list of elements, as an object with the list as its only member: providers want an object at the
 * root. Its validation returns the list.
 */
export function listOf<T>(element: Schema<T>): Schema<T[]> {
  let jsonSchema: JsonObject | undefined;
  let streamSchema: JsonObject | undefined;
  return asCombined<Schema<T[]>>({
    name: element.name === "output" ? element.name : `${element.name}_list`,
    get jsonSchema() {
      return (jsonSchema ??= objectAround(element.jsonSchema));
    },
    get streamSchema() {
      return (streamSchema ??= objectAround(element.streamSchema));
    },
    get warnings() {
      return element.warnings;
    },
    validate(value) {
      const list = isObject(value as JsonObject) ? (value as JsonObject)[elementsKey] : undefined;
      if (!Array.isArray(list)) {
        return { issues: [{ pointer: "", message: `Expected an object with an array "${elementsKey}".` }] };
      }
      const checked = list.map((item) => element.validate(item));
      return checked.every(isSettled) ? joined(checked) : Promise.all(checked.map(promised)).then(joined);
    },
  });
}

function objectAround(element: JsonObject): JsonObject {
  const $defs: JsonObject = {};
  const items = asPart(element, $defs, "element");
  const { $schema } = element;
  return {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: { [elementsKey]: { type: "array", items } },
    required: [elementsKey],
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}

function isSettled<T>(validation: Validation<T> | Promise<Validation<T>>): validation is Validation<T> {
  return !(validation instanceof Promise);
}

async function promised<T>(validation: Validation<T> | Promise<Validation<T>>): Promise<Validation<T>> {
  return validation;
}

function joined<T>(validations: readonly Validation<T>[]): Validation<T[]> {
  const issues: SchemaIssue[] = [];
  const value: T[] = [];
  validations.forEach((each, index) => {
    if (each.issues === undefined) value.push(each.value);
    else
      for (const { pointer, message } of each.issues)
        issues.push({ pointer: `/${elementsKey}/${index}${pointer}`, message });
  });
  return issues.length > 0 ? { issues } : { value };
}

import { isObject, type JsonObject } from "../json/value.js";
import { asPart, combinedSchema } from "./combined.js";
import { madeOnce } from "../tree/made-once.js";
import { allOrNow, type Schema, type SchemaIssue, type Validation } from "./schema.js";

/** The member of the object that holds the list. */
export const elementsKey = "elements";

/**
 * The schema of a list of elements, as an object with the list as its only member: providers want an object at the
 * root. Its validation returns the list.
 */
export function listOf<T>(element: Schema<T>): Schema<T[]> {
  return createList(element) as Schema<T[]>;
}

const createList = madeOnce((element: Schema<unknown>) =>
  combinedSchema<unknown[]>({
    name: element.name === "output" ? element.name : `${element.name}_list`,
    write: (kind) => objectAround(element[kind]),
    warnings: () => element.warnings,
    validate(value) {
      const list = isObject(value as JsonObject) ? (value as JsonObject)[elementsKey] : undefined;
      if (!Array.isArray(list)) {
        return { issues: [{ pointer: "", message: `Expected an object with an array "${elementsKey}".` }] };
      }
      return allOrNow(
        list.map((item) => element.validate(item)),
        joined,
      );
    },
  }),
);

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

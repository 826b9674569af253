import { childPointer } from "../tree/pointer.js";
import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { type Schema, type SchemaIssue, type Validation, thenOrNow } from "./schema.js";
import { mapSchema } from "./map-schema.js";

/**
 * The schema for a model that writes `null` for an absent property, as the strict mode of some providers requires. Such
 * a null is removed before the check. A null that the schema allows is kept.
 */
export function withNullAsAbsent<T>(schema: Schema<T>): Schema<T> {
  return {
    get name() {
      return schema.name;
    },
    get jsonSchema() {
      return schema.jsonSchema;
    },
    get streamSchema() {
      return mapSchema(schema.streamSchema, withNullForOptional);
    },
    validate(value) {
      const retry = (validation: Validation<T>): Validation<T> | Promise<Validation<T>> => {
        if (validation.issues === undefined) return validation;
        const without = withoutNulls(value as JsonValue, validation.issues);
        if (without === value) return validation;
        // Report the issues of what the model wrote, not of the copy.
        return thenOrNow(schema.validate(without), (second) =>
          second.issues === undefined ? second : validation,
        );
      };
      return thenOrNow(schema.validate(value), retry);
    },
  };
}

function withNullForOptional(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const widened = Object.entries(properties).map(([name, property]): [string, JsonValue] => [
    name,
    needed.has(name) || !isObject(property) ? property : { anyOf: [property, { type: "null" }] },
  ]);
  return { ...schema, properties: Object.fromEntries(widened) };
}

/** A copy without the null members at or below the place of an issue; the value itself if nothing changes. */
function withoutNulls(value: JsonValue, issues: readonly SchemaIssue[]): JsonValue {
  const wrong = issues.map(({ pointer }) => pointer);
  const isWrong = (pointer: string): boolean =>
    wrong.some((place) => pointer === place || pointer.startsWith(`${place}/`));
  const copy = (inner: JsonValue, pointer: string): JsonValue => {
    if (typeof inner !== "object" || inner === null) return inner;
    if (Array.isArray(inner)) {
      const copies = inner.map((item, i) => copy(item, childPointer(pointer, i)));
      return copies.every((item, i) => item === inner[i]) ? inner : copies;
    }
    const members = Object.entries(inner).flatMap(([key, member]): [string, JsonValue][] => {
      const at = childPointer(pointer, key);
      return member === null && isWrong(at) ? [] : [[key, copy(member, at)]];
    });
    const same =
      members.length === Object.keys(inner).length && members.every(([key, it]) => it === inner[key]);
    return same ? inner : Object.fromEntries(members);
  };
  return copy(value, "");
}

import { isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import { asPart, combinedSchema } from "../../schema/combined.js";
import { mapSchema, mapValues } from "../../schema/map-schema.js";
import { allOrNow, type Schema, type SchemaIssue, thenOrNow, type Validation } from "../../schema/schema.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";

/** The components that a user interface may use. */
export interface Catalogue {
  /** For each type of component, the schema of its properties. */
  readonly components: Readonly<Record<string, SchemaInput>>;
  /** The place of the object that holds the elements: a JSON Pointer. Default: `"/elements"`. */
  readonly elements?: string;
  /** The member of an element that names its component. Default: `"type"`. */
  readonly type?: string;
  /** The member of an element that holds its properties. Default: `"props"`. */
  readonly props?: string;
}

/**
 * The schema of a document whose elements are components of a catalogue. All else in the document is open. Where a
 * property may stand, an expression may too: an object with a key such as `$state`. What the expression gives is known
 * only to the client, so nothing is checked there.
 */
export function schemaOfCatalogue(catalogue: Catalogue): Schema<JsonValue> {
  const { elements = "/elements", type = "type", props = "props" } = catalogue;
  const components = new Map(
    Object.entries(catalogue.components).map(([name, input]) => [name, schemaOf(input)]),
  );
  const place = parsePointer(elements);
  const documentOf = (jsonSchemaOf: (schema: Schema<unknown>) => JsonObject): JsonObject => {
    const $defs: JsonObject = {};
    const element = {
      oneOf: [...components].map(([name, schema], index) => ({
        type: "object",
        properties: {
          [type]: { const: name },
          [props]: asPart(mapCatalogueSchema(jsonSchemaOf(schema), expression), $defs, `component${index}`),
        },
        required: [type],
      })),
    };
    const inside = place.reduceRight<JsonObject>(
      (inner, key) => ({ type: "object", properties: { [key]: inner } }),
      { type: "object", additionalProperties: element },
    );
    return Object.keys($defs).length > 0 ? { ...inside, $defs } : inside;
  };
  const check = (key: string, element: JsonValue): SchemaIssue[] | Promise<SchemaIssue[]> => {
    const at = childPointer(elements, key);
    const name = isObject(element) ? element[type] : undefined;
    const schema = typeof name === "string" ? components.get(name) : undefined;
    if (schema === undefined) {
      const known = [...components.keys()].join(", ");
      return [{ pointer: childPointer(at, type), message: `Expected a component of ${known}.` }];
    }
    const value = (element as JsonObject)[props] ?? {};
    const issuesOf = ({ issues = [] }: Validation<unknown>): SchemaIssue[] =>
      issuesOutside(value, issues, isExpression).map(({ pointer, message }) => ({
        pointer: `${childPointer(at, props)}${pointer}`,
        message,
      }));
    return thenOrNow(schema.validate(value), issuesOf);
  };
  return combinedSchema<JsonValue>({
    name: "interface",
    write: (kind) => documentOf(kind === "streamSchema" ? streamSchemaOf : ({ jsonSchema }) => jsonSchema),
    warnings: () => [],
    validate(value) {
      const found = valueAt(value as JsonValue, place);
      const checked = isObject(found) ? Object.entries(found).map(([key, it]) => check(key, it)) : [];
      return allOrNow(checked, (lists): Validation<JsonValue> => {
        const issues = lists.flat();
        return issues.length > 0 ? { issues } : { value: value as JsonValue };
      });
    },
  });
}

/** The rules for a stream. A schema that has none allows anything. */
export function streamSchemaOf(schema: Schema<unknown>): JsonObject {
  try {
    return schema.streamSchema;
  } catch {
    return {};
  }
}

/** The schema of properties that may also be something else, at any depth. */
export function mapCatalogueSchema(schema: JsonObject, other: JsonObject): JsonObject {
  const orOther = (inner: JsonValue): JsonObject => ({ anyOf: [inner, other] });
  return mapSchema(schema, (each) => {
    const { properties, items } = each;
    return {
      ...each,
      ...(isObject(properties) && { properties: mapValues(properties, orOther) }),
      ...(isObject(items) && { items: orOther(items) }),
    };
  });
}

/** `{"$state": "/title"}`, `{"$computed": "sum", "args": {…}}` */
const expression: JsonObject = {
  type: "object",
  properties: { args: {} },
  patternProperties: { "^\\$": {} },
  additionalProperties: false,
};

function isExpression(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).some((key) => key.startsWith("$"));
}

/** The issues that are not inside a value which only the client can compute. */
export function issuesOutside(
  root: JsonValue,
  issues: readonly SchemaIssue[],
  isComputed: (value: JsonValue) => boolean,
): readonly SchemaIssue[] {
  return issues.filter(({ pointer }) => {
    const keys = parsePointer(pointer);
    return ![...keys.keys(), keys.length].some((length) => {
      const value = valueAt(root, keys.slice(0, length));
      return value !== undefined && isComputed(value);
    });
  });
}

import type { JsonObject, JsonValue } from "millrace/json";
import { isContainer, isObject } from "../../tree.js";

/** A JSON Schema that the value satisfies, for a run without a schema. */
export function schemaFrom(value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : schemaOfAll([value]);
}

/** A JSON Schema that all values satisfy. Without values, every value does. */
function schemaOfAll(values: readonly JsonValue[]): JsonObject {
  const types = [...new Set(values.map(typeOf))];
  const [type, ...others] = types;
  if (type === undefined) return {};
  const schema: JsonObject = { type: others.length === 0 ? type : types };
  if (types.includes("array")) {
    schema["items"] = schemaOfAll(values.flatMap((value) => (Array.isArray(value) ? value : [])));
  }
  if (types.includes("object")) {
    const objects = values.filter((value) => isObject(value));
    const valuesOf = new Map<string, JsonValue[]>();
    for (const [key, value] of objects.flatMap((object) => Object.entries(object))) {
      const known = valuesOf.get(key);
      if (known === undefined) valuesOf.set(key, [value]);
      else known.push(value);
    }
    const properties = [...valuesOf].map(([key, all]) => [key, schemaOfAll(all)] as const);
    schema["properties"] = Object.fromEntries(properties);
    schema["required"] = [...valuesOf.keys()].filter((key) => valuesOf.get(key)?.length === objects.length);
  }
  return schema;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The Zod schema of a simple JSON Schema: objects, arrays, enums, types and limits. Anything else is `z.unknown()`. */
export function zodText(schema: JsonValue | undefined, indent = ""): string {
  if (!isObject(schema)) return "z.unknown()";
  const { enum: values, type, items, description } = schema;
  const described = typeof description === "string" ? `.describe(${JSON.stringify(description)})` : "";
  if (Array.isArray(values)) return enumText(values) + described;
  if (Array.isArray(type)) return unionText(schema, type, indent) + described;
  if (type === "array")
    return `z.array(${zodText(items, indent)})${limitsOf(schema, arrayLimits)}${described}`;
  const properties = schemaProperties(schema);
  if (properties.length > 0) {
    const inner = `${indent}  `;
    const lines = properties.map(({ key, schema: child, required }) => {
      return `${inner}${nameText(key)}: ${zodText(child, inner)}${required ? "" : ".optional()"},\n`;
    });
    const object = schema["additionalProperties"] === false ? "strictObject" : "object";
    return `z.${object}({\n${lines.join("")}${indent}})${described}`;
  }
  const limits = type === "string" ? stringLimits : numberLimits;
  return (
    (typeof type === "string" && Object.hasOwn(types, type) ? (types[type] as string) : "z.unknown()") +
    limitsOf(schema, limits) +
    described
  );
}

function enumText(values: readonly JsonValue[]): string {
  if (values.length === 0) return "z.never()";
  if (values.every((value) => typeof value === "string")) return `z.enum(${JSON.stringify(values)})`;
  return values.some(isContainer) ? "z.unknown()" : `z.literal(${JSON.stringify(values)})`;
}

function unionText(schema: JsonObject, all: readonly JsonValue[], indent: string): string {
  const { description: _, ...rest } = schema;
  const [first, ...others] = all
    .filter((type) => type !== "null")
    .map((type) => zodText({ ...rest, type }, indent));
  if (first === undefined) return all.length === 0 ? "z.never()" : "z.null()";
  const union = others.length === 0 ? first : `z.union([${[first, ...others].join(", ")}])`;
  return union + (all.includes("null") ? ".nullable()" : "");
}

/** The limits of a type, and the methods of Zod for them. */
type Limits = Readonly<Record<string, string>>;
const arrayLimits: Limits = { minItems: "min", maxItems: "max" };
const stringLimits: Limits = { minLength: "min", maxLength: "max" };
const numberLimits: Limits = {
  minimum: "min",
  maximum: "max",
  exclusiveMinimum: "gt",
  exclusiveMaximum: "lt",
};

function limitsOf(schema: JsonObject, limits: Limits): string {
  return Object.entries(limits)
    .filter(([keyword]) => typeof schema[keyword] === "number")
    .map(([keyword, method]) => `.${method}(${JSON.stringify(schema[keyword])})`)
    .join("");
}

/** A property of an object's schema. */
export interface SchemaProperty {
  readonly key: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** The properties of a schema of objects. `null` may be valid too, and nothing else. */
export function schemaProperties(schema: JsonObject): readonly SchemaProperty[] {
  const { properties, required, enum: values, type = "object" } = schema;
  const types = [type].flat();
  const isOfObjects = types.includes("object") && types.every((one) => one === "object" || one === "null");
  if (!isObject(properties) || !isOfObjects || values !== undefined) return [];
  return Object.entries(properties).map(([key, child]) => ({
    key,
    schema: isObject(child) ? child : {},
    required: Array.isArray(required) && required.includes(key),
  }));
}

/** A key as it is written in a type. */
export function nameText(key: string): string {
  return isName(key) ? key : JSON.stringify(key);
}

export function isName(key: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(key);
}

const types: Readonly<Record<string, string>> = {
  string: "z.string()",
  number: "z.number()",
  integer: "z.int()",
  boolean: "z.boolean()",
  null: "z.null()",
  object: "z.record(z.string(), z.unknown())",
};

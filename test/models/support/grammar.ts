import type { JsonObject, JsonValue } from "millrace";
import { isObject, valueAt } from "#src/json/value.js";

/**
 * Whether a grammar that llama.cpp makes of a schema takes a value. It takes the first keyword of the list below and
 * drops the rest, as the server does, and throws for what the server refuses.
 */
export function grammarTakes(schema: JsonValue | undefined, value: JsonValue, root = schema): boolean {
  if (!isObject(schema)) throw new Error(`Unrecognized schema: ${JSON.stringify(schema)}`);
  const takes = (inner: JsonValue | undefined, part: JsonValue): boolean => grammarTakes(inner, part, root);
  const { type } = schema;
  const isFor = (name: string): boolean => type === undefined || type === name;
  if (typeof schema["$ref"] === "string") return takes(targetOf(schema["$ref"], root), value);
  const choices = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(choices)) return choices.some((choice) => takes(choice, value));
  if (Array.isArray(type)) return type.some((it) => takes({ ...schema, type: it }, value));
  if (schema["const"] !== undefined) return isSame(schema["const"], value);
  if (Array.isArray(schema["enum"])) return schema["enum"].some((it) => isSame(it, value));
  const { additionalProperties } = schema;
  const isClosed = additionalProperties !== undefined && additionalProperties !== true;
  if (isFor("object") && (schema["properties"] !== undefined || isClosed)) {
    return isObject(value) && objectTaken(schema, value, takes);
  }
  if (schema["allOf"] !== undefined) throw new Error("An allOf loses its rules");
  if (isFor("array") && (schema["items"] ?? schema["prefixItems"]) !== undefined) {
    return Array.isArray(value) && arrayTaken(schema, value, takes);
  }
  if (isFor("string") && schema["pattern"] !== undefined) {
    return typeof value === "string" && patternOf(schema["pattern"]).test(value);
  }
  if (Object.keys(schema).length === 0) return isObject(value);
  return type === undefined || primitiveTaken(schema, value);
}

type Takes = (schema: JsonValue | undefined, value: JsonValue) => boolean;

function targetOf($ref: string, root: JsonValue | undefined): JsonValue | undefined {
  if (!$ref.startsWith("#/")) throw new Error(`Unsupported ref ${$ref}`);
  return valueAt(root, $ref.slice(2).split("/")); // without escapes
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function objectTaken(schema: JsonObject, value: JsonObject, takes: Takes): boolean {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const required = ((schema["required"] ?? []) as string[]).filter((name) => Object.hasOwn(properties, name));
  const { additionalProperties: others = false } = schema;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => {
      if (Object.hasOwn(properties, name)) return takes(properties[name], member);
      return others === true || (others !== false && takes(others, member));
    })
  );
}

function arrayTaken(schema: JsonObject, value: JsonValue[], takes: Takes): boolean {
  const items = schema["items"] ?? schema["prefixItems"];
  if (Array.isArray(items)) {
    return value.length === items.length && items.every((item, i) => takes(item, value[i] as JsonValue));
  }
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  checkTimes([minItems, maxItems]);
  return value.length >= minItems && value.length <= maxItems && value.every((item) => takes(items, item));
}

/** The server copies a pattern into its grammar, which has no other escapes and no `(?`. */
function patternOf(pattern: JsonValue): RegExp {
  if (typeof pattern !== "string" || !/^\^(?:[^\\"]|\\x[0-9A-F]{2})*\$$/u.test(pattern))
    throw new Error(`Not a pattern for a grammar: ${JSON.stringify(pattern)}`);
  if (/\(\?|[*+?}][?]/.test(pattern)) throw new Error(`Unsupported pattern syntax: ${pattern}`);
  return new RegExp(pattern, "u");
}

function primitiveTaken(schema: JsonObject, value: JsonValue): boolean {
  const { minLength = 0, maxLength = Infinity } = schema as { minLength?: number; maxLength?: number };
  const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  checkTimes([minLength, maxLength]);
  switch (schema["type"]) {
    case "string":
      return typeof value === "string" && value.length >= minLength && value.length <= maxLength;
    case "integer":
      return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    case "number":
    case "boolean":
      return typeof value === schema["type"];
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    default:
      return isObject(value);
  }
}

/** "number of repetitions exceeds sane defaults" */
function checkTimes(times: readonly number[]): void {
  if (times.some((it) => it !== Infinity && it >= 2_000)) throw new Error("Too many repetitions");
}

import { Kind, kindOf } from "../../json/build/kinds.js";
import { isContainer, isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { stepOf } from "../interpreter/checks.js";
import { formats } from "../interpreter/formats.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import { isInteger, kindsOfType } from "../values.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * The keywords of one schema object that a stream can break before a value is complete. The interpreter checks all
 * others (`not`, `if`, `contains`, `dependent…`, `unevaluated…`, `uniqueItems`, the meaning of `format`).
 */
export interface Rules {
  /** Unique in one schema document. */
  readonly id: number;
  /** The kinds of value allowed, as flags of `Kind`. */
  readonly kinds: number;
  /** Numbers must be integers. */
  readonly integer: boolean;
  /** The values of `enum` and `const`. */
  readonly options: ReadonlySet<JsonValue> | undefined;
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
  readonly multipleOf: number | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  /** The readings of `pattern`. A string must match at least one. */
  readonly patterns: readonly RegExp[];
  readonly minItems: number;
  readonly maxItems: number;
  /** The schemas of the first elements. */
  readonly prefixItems: readonly unknown[];
  /** The schema of the elements after those. */
  readonly items: unknown;
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, unknown>;
  readonly patternProperties: readonly (readonly [readonly RegExp[], unknown])[];
  readonly additionalProperties: unknown;
  readonly propertyNames: unknown;
  /** Whether there are rules for strings or numbers besides their type. */
  readonly limitsScalars: boolean;
  /** Withhold the value until it is complete. */
  readonly whole: boolean;
  /** Not checked here. A value with a format is withheld until it is complete. */
  readonly format: string | undefined;
  /** The schema itself, if it has keywords that only the interpreter checks, once the value is complete. */
  readonly interpreted: SchemaNode | undefined;
}

type KeywordValues = Readonly<Record<string, unknown>>;

/** @param schema the keywords that its draft knows */
export function rulesOf(schema: KeywordValues, id: number, interpreted?: SchemaNode): Rules {
  const options = optionsOf(schema);
  const { items } = schema;
  // The interpreter also reads a list in `items` in every draft.
  const isTuple = Array.isArray(items);
  const numbered = !isTuple && Array.isArray(schema["prefixItems"]);
  return {
    id,
    kinds: kindsOf(schema, options),
    integer: isInteger(schema["type"]),
    options: options && new Set(options),
    minimum: numberOf(schema["minimum"], -Infinity),
    maximum: numberOf(schema["maximum"], Infinity),
    exclusiveMinimum: numberOf(schema["exclusiveMinimum"], -Infinity),
    exclusiveMaximum: numberOf(schema["exclusiveMaximum"], Infinity),
    multipleOf: stepOf(schema["multipleOf"]),
    minLength: numberOf(schema["minLength"], 0),
    maxLength: numberOf(schema["maxLength"], Infinity),
    patterns: typeof schema["pattern"] === "string" ? readingsOf(schema["pattern"]) : [],
    minItems: numberOf(schema["minItems"], 0),
    maxItems: numberOf(schema["maxItems"], Infinity),
    prefixItems: isTuple ? items : numbered ? (schema["prefixItems"] as unknown[]) : [],
    items: isTuple ? schema["additionalItems"] : items,
    minProperties: numberOf(schema["minProperties"], 0),
    maxProperties: numberOf(schema["maxProperties"], Infinity),
    required: namesIn(schema["required"]),
    properties: new Map(entriesOf(schema["properties"])),
    patternProperties: entriesOf(schema["patternProperties"]).map(([source, value]) => [
      readingsOf(source),
      value,
    ]),
    additionalProperties: schema["additionalProperties"],
    propertyNames: schema["propertyNames"],
    limitsScalars: scalarKeywords.some((keyword) => keyword in schema) || isInteger(schema["type"]),
    whole: schema["stream"] === "whole",
    format: typeof schema["format"] === "string" ? schema["format"] : undefined,
    interpreted,
  };
}

const scalarKeywords = wordsIn(`
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern
`);

/** Whether the schema has a keyword that `rulesOf()` reads. */
export function hasRules(schema: KeywordValues): boolean {
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}

const keywords = [
  ...scalarKeywords,
  ...wordsIn(`
    type nullable enum const format minItems maxItems prefixItems items minProperties maxProperties
    required properties patternProperties additionalProperties propertyNames stream
  `),
];

/** Whether the schema has a keyword that `rulesOf()` does not read, or not all of. */
export function isPartial(schema: KeywordValues): boolean {
  const { const: only, enum: options, format, if: condition, multipleOf, oneOf, uniqueItems } = schema;
  return (
    interpretedKeywords.some((keyword) => Object.hasOwn(schema, keyword)) ||
    [uniqueItems, schema["exclusiveMinimum"], schema["exclusiveMaximum"]].includes(true) ||
    (condition !== undefined && ("then" in schema || "else" in schema)) ||
    (Array.isArray(oneOf) && oneOf.length > 1) ||
    (typeof format === "string" && formats.has(format)) ||
    // The guard allows for rounding.
    (multipleOf !== undefined && !Number.isInteger(multipleOf)) ||
    [only, ...(Array.isArray(options) ? (options as unknown[]) : [])].some(isContainer)
  );
}

const interpretedKeywords = wordsIn(`
  not contains dependencies dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties
`);

function optionsOf(schema: KeywordValues): JsonValue[] | undefined {
  let options: JsonValue[] | undefined;
  if (Array.isArray(schema["enum"])) options = schema["enum"] as JsonValue[];
  if ("const" in schema) {
    const only = schema["const"] as JsonValue;
    options =
      options === undefined || isContainer(only) ? [only] : options.filter((option) => option === only);
  }
  // `nullable` is a keyword of OpenAPI. Validators of JSON Schema ignore it.
  if (options !== undefined && schema["nullable"] === true) options = [...options, null];
  return options;
}

function kindsOf(schema: KeywordValues, options: readonly JsonValue[] | undefined): number {
  let kinds = kindsOfType(schema["type"]);
  if (schema["nullable"] === true) kinds |= Kind.NULL;
  if (options === undefined) return kinds;
  return kinds & options.reduce<number>((sum, option) => sum | kindOf(option), 0);
}

/**
 * JSON Schema reads patterns with the `u` flag, most libraries without. The guard must accept all that the final check
 * accepts, so a string has to fail both readings. A pattern that is invalid in both has none: everything matches.
 */
function readingsOf(source: string): RegExp[] {
  return ["u", ""].flatMap((flags) => {
    try {
      return [new RegExp(source, flags)];
    } catch {
      return [];
    }
  });
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value as JsonValue | undefined) ? Object.entries(value as JsonObject) : [];
}

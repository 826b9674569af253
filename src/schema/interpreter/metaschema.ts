import type { JsonObject, JsonValue } from "../../json/value.js";
import { draftOf, isKeyword, type Draft } from "./draft.js";
import { wordsIn } from "../../text/words-in.js";

/** The schema of the schemas of a draft, if the URI is the one of such a schema. Real schemas refer to it. */
export function metaschemaOf(uri: string): JsonObject | undefined {
  if (!/^https?:\/\/json-schema\.org\/(?:draft-0[467]|draft\/(?:2019-09|2020-12))\/schema$/.test(uri)) {
    return undefined;
  }
  const draft = draftOf({ $schema: uri });
  const properties = Object.entries(keywordsOf(draft)).filter(([keyword]) => isKeyword(keyword, draft));
  return {
    $schema: uri,
    type: draft === 4 ? "object" : ["object", "boolean"],
    properties: Object.fromEntries(properties),
    definitions: definitionsOf(draft),
    ...(draft === 4 && { dependencies: { exclusiveMinimum: ["minimum"], exclusiveMaximum: ["maximum"] } }),
  };
}

/** Whether an object may be a schema: it has a keyword besides descriptions, or no key at all. */
export function hasRule(object: object): boolean {
  const keys = Object.keys(object);
  return keys.length === 0 || keys.some((key) => rules.has(key));
}

const schema = { $ref: "#" };
const schemas = { $ref: "#/definitions/schemaArray" };
const schemasByName = { type: "object", additionalProperties: schema };
const string = { type: "string" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const size = { $ref: "#/definitions/nonNegativeInteger" };
const strings = { $ref: "#/definitions/stringArray" };
const types = { $ref: "#/definitions/simpleTypes" };

function keywordsOf(draft: Draft): JsonObject {
  const orBoolean = draft === 4 ? { anyOf: [boolean, schema] } : schema;
  const exclusive = draft === 4 ? boolean : number;
  return {
    [draft === 4 ? "id" : "$id"]: draft < 2019 ? string : { type: "string", pattern: "^[^#]*#?$" },
    $schema: string,
    $anchor: anchorOf(draft),
    $dynamicAnchor: anchorOf(draft),
    $recursiveAnchor: boolean,
    $ref: string,
    $dynamicRef: string,
    $recursiveRef: string,
    $comment: string,
    $defs: schemasByName,
    definitions: schemasByName,
    title: string,
    description: string,
    type: { anyOf: [types, { type: "array", items: types, minItems: 1, uniqueItems: true }] },
    enum: { type: "array", ...(draft === 4 && { minItems: 1, uniqueItems: true }) },
    const: {},
    multipleOf: { type: "number", ...(draft === 4 ? above(0, true) : above(0)) },
    minimum: number,
    maximum: number,
    exclusiveMinimum: exclusive,
    exclusiveMaximum: exclusive,
    minLength: size,
    maxLength: size,
    pattern: { type: "string", format: "regex" },
    format: string,
    items: draft === 2020 ? schema : { anyOf: [schema, schemas] },
    prefixItems: schemas,
    additionalItems: orBoolean,
    unevaluatedItems: schema,
    contains: schema,
    minItems: size,
    maxItems: size,
    minContains: size,
    maxContains: size,
    uniqueItems: boolean,
    properties: schemasByName,
    patternProperties: schemasByName,
    additionalProperties: orBoolean,
    unevaluatedProperties: schema,
    propertyNames: schema,
    minProperties: size,
    maxProperties: size,
    required: strings,
    dependentRequired: { type: "object", additionalProperties: strings },
    dependentSchemas: schemasByName,
    dependencies: { type: "object", additionalProperties: { anyOf: [schema, strings] } },
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
  };
}

function anchorOf(draft: Draft): JsonObject {
  return {
    type: "string",
    pattern: draft === 2019 ? "^[A-Za-z][-A-Za-z0-9.:_]*$" : "^[A-Za-z_][-A-Za-z0-9._]*$",
  };
}

function definitionsOf(draft: Draft): JsonObject {
  const integer = { type: "integer", minimum: 0 };
  const stringArray = {
    type: "array",
    items: string,
    uniqueItems: true,
    ...(draft === 4 && { minItems: 1 }),
  };
  return {
    schemaArray: { type: "array", minItems: 1, items: schema },
    nonNegativeInteger: integer,
    nonNegativeIntegerDefault0: integer,
    positiveInteger: integer,
    positiveIntegerDefault0: integer,
    stringArray,
    simpleTypes: { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] },
  };
}

function above(minimum: number, flag = false): Record<string, JsonValue> {
  return flag ? { minimum, exclusiveMinimum: true } : { exclusiveMinimum: minimum };
}

/** The keywords that only describe, so that any value is allowed. */
const descriptions: ReadonlySet<string> = new Set(wordsIn("$id $schema $comment title description"));
const rules: ReadonlySet<string> = new Set(
  [
    ...wordsIn("stream contentMediaType contentEncoding contentSchema"),
    ...Object.keys(keywordsOf(2020)),
  ].filter((keyword) => !descriptions.has(keyword)),
);

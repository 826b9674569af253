import type { JsonObject } from "../../json/value.js";
import { keywordsOfNames, keywordsOfSchemas } from "../map-schema.js";
import { draftOf, isKeyword, type Draft } from "./draft.js";
import { rowsOf, wordsIn, wordSet } from "../../text/words-in.js";

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

/** The schema of the value of each keyword. */
function keywordsOf(draft: Draft): JsonObject {
  const isOldest = draft === 4;
  return rowsOf<JsonObject>({
    [[...keywordsOfSchemas].join(" ")]: schema,
    [[...keywordsOfNames].join(" ")]: schemasByName,
    "allOf anyOf oneOf prefixItems": schemas,
    "additionalItems additionalProperties": isOldest ? { anyOf: [boolean, schema] } : schema,
    "$schema $ref $dynamicRef $recursiveRef $comment title description format": string,
    "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties": size,
    "$recursiveAnchor uniqueItems": boolean,
    "minimum maximum": number,
    "exclusiveMinimum exclusiveMaximum": isOldest ? boolean : number,
    "$anchor $dynamicAnchor": {
      type: "string",
      pattern: draft === 2019 ? "^[A-Za-z][-A-Za-z0-9.:_]*$" : "^[A-Za-z_][-A-Za-z0-9._]*$",
    },
    [isOldest ? "id" : "$id"]: draft < 2019 ? string : { type: "string", pattern: "^[^#]*#?$" },
    type: { anyOf: [types, { type: "array", items: types, minItems: 1, uniqueItems: true }] },
    enum: { type: "array", ...(isOldest && { minItems: 1, uniqueItems: true }) },
    const: {},
    multipleOf: {
      type: "number",
      ...(isOldest ? { minimum: 0, exclusiveMinimum: true } : { exclusiveMinimum: 0 }),
    },
    pattern: { type: "string", format: "regex" },
    items: draft === 2020 ? schema : { anyOf: [schema, schemas] },
    required: strings,
    dependentRequired: { type: "object", additionalProperties: strings },
    dependencies: { type: "object", additionalProperties: { anyOf: [schema, strings] } },
  });
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

/** The keywords that only describe, so that any value is allowed. */
const descriptions = wordSet("$id $schema $comment title description");
const rules: ReadonlySet<string> = new Set(
  [
    ...wordsIn("stream contentMediaType contentEncoding contentSchema"),
    ...Object.keys(keywordsOf(2020)),
  ].filter((keyword) => !descriptions.has(keyword)),
);

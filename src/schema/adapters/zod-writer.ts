import type { JsonObject, JsonValue } from "../../json/value.js";
import { tableOf } from "../../text/words-in.js";
import type { JsonSchema } from "../schema.js";
import {
  all,
  type Definitions,
  isInherited,
  markOf,
  matching,
  nothing,
  ofElements,
  asDefinition,
  oneOf,
  wholeSchema,
  type WritePart,
} from "./definitions.js";
import {
  hasNoChecks,
  innerOf,
  keepsItsValue,
  metadataOf,
  type ZodDefinition,
  zodMayBeAbsent,
  zodMayBeUndefined,
  zodNumber,
  zodRules,
  type ZodSchema,
} from "./zod-definition.js";

/**
 * Writes as JSON Schema what a Zod schema checks, for the guard. Zod's own JSON Schema describes what a model should
 * send. A guard that follows it refuses what Zod accepts: values that are coerced, caught or preprocessed, strings
 * before `trim()`, patterns with flags, records in intersections, short tuples of defaults, objects without a key such
 * as `toString`, and what `.meta({ maximum })` forbids. Zod Mini, and Zod before 4.2, write none. Here, a part that is
 * not listed accepts any value.
 *
 * This file does not import Zod, which is an optional peer dependency.
 */
export function checkedByZod(root: ZodSchema): JsonSchema {
  return wholeSchema((definitions) => write(root, definitions));
}

/**
 * @param open whether the part is a side of an intersection. Zod refuses a key of an intersection only if both sides
 *   refuse it. The side that refuses it does not check its value.
 */
type WriteZod = WritePart<ZodSchema, [open: boolean]>;

function write(schema: ZodSchema, definitions: Definitions, open = false): JsonObject {
  const part = parts.get(schema._zod.def.type)?.(schema, definitions, open);
  return { ...part, ...markOf(metadataOf(schema)) };
}

const unlessCoerced =
  (writePart: WriteZod): WriteZod =>
  (schema, definitions, open) =>
    schema._zod.def.coerce === true ? {} : writePart(schema, definitions, open);
const inner: WriteZod = (schema, definitions, open) => {
  const [only] = innerOf(schema);
  return only === undefined ? {} : write(only, definitions, open);
};

/** What Zod checks, by type. Other types accept any value, or one that only Zod can check: any, catch, custom, … */
const parts = tableOf<WriteZod>({
  "file function map nan never set symbol undefined void": nothing,
  string: unlessCoerced((schema) => all({ type: "string" }, ...zodRules(schema))),
  number: unlessCoerced(zodNumber),
  boolean: unlessCoerced(() => ({ type: "boolean" })),
  "bigint date": unlessCoerced(nothing),
  null: () => ({ type: "null" }),
  "enum literal": ({ _zod }) => oneOf(_zod.values ?? []),
  template_literal: ({ _zod: { pattern } }) => ({ type: "string", ...(pattern && matching(pattern)) }),
  array: asDefinition((schema, definitions) =>
    all(
      { type: "array", items: write(schema._zod.def.element, definitions) },
      ...zodRules(schema).map(ofElements),
    ),
  ),
  tuple: asDefinition(tuple),
  object: asDefinition(object),
  record: asDefinition(record),
  union: asDefinition((schema, definitions, open) => ({
    anyOf: innerOf(schema).map((option) => write(option, definitions, open)),
  })),
  intersection: asDefinition((schema, definitions, open) => {
    const names = open ? undefined : namesOf(schema, definitions);
    return {
      allOf: innerOf(schema).map((side) => write(side, definitions, true)),
      ...(names !== undefined && { propertyNames: names }),
    };
  }),
  lazy: asDefinition(inner),
  nullable: (schema, definitions, open) => ({ anyOf: [inner(schema, definitions, open), { type: "null" }] }),
  "optional default prefault nonoptional readonly pipe": inner,
});

/** Its own checks see the result, which may be longer: with defaults. */
function tuple({ _zod: { def } }: ZodSchema, definitions: Definitions): JsonObject {
  const { items = [], rest } = def;
  return {
    type: "array",
    prefixItems: items.map((item) => write(item, definitions)),
    items: rest ? write(rest, definitions) : false,
    minItems: items.findLastIndex((item) => !zodMayBeAbsent(item)) + 1,
  };
}

function object({ _zod: { def } }: ZodSchema, definitions: Definitions, open: boolean): JsonObject {
  const { shape, catchall } = def;
  const keys = Object.keys(shape);
  const closed = isNever(catchall);
  return {
    type: "object",
    properties: members(catchall === undefined || closed ? keys : [...keys, proto], (key) =>
      write(shape[key] as ZodSchema, definitions),
    ),
    required: keys.filter((key) => !isInherited(key) && !zodMayBeAbsent(shape[key] as ZodSchema)),
    ...(closed && !open && { additionalProperties: false }),
    ...(catchall !== undefined && !closed && { additionalProperties: write(catchall, definitions) }),
  };
}

function record({ _zod: { def } }: ZodSchema, definitions: Definitions, open: boolean): JsonObject {
  const { keyType, valueType } = def;
  const value = (): JsonObject => write(valueType, definitions);
  const plain = hasNoChecks(keyType);
  // Keys that the key schema refuses may have any value.
  const loose = open || def.mode === "loose";
  const keys = keysOf(def);
  if (keys !== undefined) {
    return {
      type: "object",
      properties: members(keys, plain ? value : () => ({})),
      required: plain && !zodMayBeUndefined(valueType) ? keys.filter((key) => !isInherited(key)) : [],
      ...(!loose && { additionalProperties: false }),
    };
  }
  const anyKey = plain && keyType._zod.def.type === "string";
  if (loose && !anyKey) return { type: "object" };
  return {
    type: "object",
    properties: members([proto], value),
    // A key that is changed may become `__proto__`, whose value is not checked.
    additionalProperties: keepsKeys(keyType) ? value() : {},
    ...(!anyKey && { propertyNames: namesOfKeys(keyType, definitions) }),
  };
}

/** The keys that a part may accept, as a schema; `undefined` if any. */
function namesOf(
  schema: ZodSchema,
  definitions: Definitions,
  within: readonly ZodSchema[] = [],
): JsonObject | undefined {
  const { def } = schema._zod;
  if (def.type === "object") return isNever(def.catchall) ? oneOf(Object.keys(def.shape)) : undefined;
  if (def.type === "record") {
    const keys = keysOf(def);
    if (def.mode === "loose") return undefined;
    return keys === undefined ? namesOfKeys(def.keyType, definitions) : oneOf(keys);
  }
  if (within.includes(schema) || !acceptsInnerKeys.test(def.type)) return undefined;
  const names = innerOf(schema).map((part) => namesOf(part, definitions, [...within, schema]));
  return names.includes(undefined) ? undefined : { anyOf: names as JsonObject[] };
}

const acceptsInnerKeys =
  /^(?:union|intersection|pipe|lazy|nullable|optional|default|prefault|nonoptional|readonly)$/;

/** The keys that a record may accept. Its key schema sees a numeric key as a string and as a number. */
function namesOfKeys(keyType: ZodSchema, definitions: Definitions): JsonObject {
  const asNumber = keyType._zod.def.type === "string" ? [] : [{ pattern: String.raw`^-?\d+(?:\.\d+)?$` }];
  return { anyOf: [write(keyType, definitions), ...asNumber, { const: proto }] };
}

/** A member with this key is never checked, required or part of the result. */
const proto = "__proto__";

function members(keys: readonly string[], schemaOf: (key: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    keys.map((key): [string, JsonValue] => [key, key === proto ? {} : schemaOf(key)]),
  );
}

function isNever(schema: ZodSchema | undefined): boolean {
  return schema?._zod.def.type === "never";
}

/** The keys of a record that has one member for each value of its key schema. */
function keysOf({ keyType, partial }: ZodDefinition): readonly string[] | undefined {
  const { values } = keyType._zod;
  if (values === undefined || partial === true) return undefined;
  return [...values].filter((value) => typeof value === "string" || typeof value === "number").map(String);
}

/** Whether the members of the result have the same keys as those of the input. */
function keepsKeys(keyType: ZodSchema): boolean {
  const { type } = keyType._zod.def;
  if (type === "union") return innerOf(keyType).every(keepsKeys);
  return /^(?:string|number|enum|literal|template_literal)$/.test(type) && keepsItsValue(keyType);
}

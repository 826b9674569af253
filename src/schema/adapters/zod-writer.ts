import type { JsonObject, JsonValue } from "../../json/value.js";
import { wordsIn } from "../../text/words-in.js";
import type { JsonSchema } from "../schema.js";
import { all, Definitions, isInherited, markOf, matching, nothing, oneOf } from "./definitions.js";
import {
  checkedLength,
  checkedString,
  hasNoChecks,
  keepsItsValue,
  metadataOf,
  type ZodDefinition,
  zodMayBeAbsent,
  zodMayBeUndefined,
  zodNumber,
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
  const writer = new ZodWriter();
  return { ...writer.write(root), $defs: writer.$defs };
}

class ZodWriter {
  private readonly definitions = new Definitions<ZodSchema>();

  get $defs(): JsonObject {
    return this.definitions.$defs;
  }

  /**
   * @param open whether the part is a side of an intersection. Zod refuses a key of an intersection only if both sides
   *   refuse it. The side that refuses it does not check its value.
   */
  write(schema: ZodSchema, open = false): JsonObject {
    return { ...this.part(schema, open), ...markOf(metadataOf(schema)) };
  }

  private part(schema: ZodSchema, open: boolean): JsonObject {
    return parts.get(schema._zod.def.type)?.(schema, this, open) ?? {};
  }

  /** Writes a part once, under `$defs`, because it may contain itself. */
  refer(schema: ZodSchema, open: boolean, write: () => JsonObject): JsonObject {
    return this.definitions.refer(schema, write, open ? "-open" : "");
  }

  inside(part: ZodSchema | undefined, open: boolean): JsonObject {
    return part === undefined ? {} : this.write(part, open);
  }

  /** Its own checks see the result, which may be longer: with defaults. */
  tuple({ items = [], rest }: ZodDefinition): JsonObject {
    return {
      type: "array",
      prefixItems: items.map((item) => this.write(item)),
      items: rest ? this.write(rest) : false,
      minItems: items.findLastIndex((item) => !zodMayBeAbsent(item)) + 1,
    };
  }

  object({ shape = {}, catchall }: ZodDefinition, open: boolean): JsonObject {
    const keys = Object.keys(shape);
    const closed = isNever(catchall);
    return {
      type: "object",
      properties: members(catchall === undefined || closed ? keys : [...keys, proto], (key) =>
        this.write(shape[key] as ZodSchema),
      ),
      required: keys.filter((key) => !isInherited(key) && !zodMayBeAbsent(shape[key] as ZodSchema)),
      ...(closed && !open && { additionalProperties: false }),
      ...(catchall !== undefined && !closed && { additionalProperties: this.write(catchall) }),
    };
  }

  record(def: ZodDefinition, open: boolean): JsonObject {
    const keyType = def.keyType as ZodSchema;
    const valueType = def.valueType as ZodSchema;
    const value = (): JsonObject => this.write(valueType);
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
      ...(!anyKey && { propertyNames: this.namesOfKeys(keyType) }),
    };
  }

  intersection(schema: ZodSchema, open: boolean): JsonObject {
    const { left, right } = schema._zod.def;
    const names = open ? undefined : this.namesOf(schema);
    return {
      allOf: [this.write(left as ZodSchema, true), this.write(right as ZodSchema, true)],
      ...(names !== undefined && { propertyNames: names }),
    };
  }

  /** The keys that a part may accept, as a schema; `undefined` if any. */
  private namesOf(schema: ZodSchema, within: readonly ZodSchema[] = []): JsonObject | undefined {
    if (within.includes(schema)) return undefined;
    const { def, innerType = def.innerType } = schema._zod;
    const anyOf = (parts: readonly (ZodSchema | undefined)[]): JsonObject | undefined => {
      const names = parts.map((part) => part && this.namesOf(part, [...within, schema]));
      return names.includes(undefined) ? undefined : { anyOf: names as JsonObject[] };
    };
    if (def.type === "object") return isNever(def.catchall) ? oneOf(Object.keys(def.shape ?? {})) : undefined;
    if (def.type === "record") return this.namesOfRecord(def);
    const inside = { union: def.options ?? [], intersection: [def.left, def.right], pipe: [def.in] };
    if (isKey(inside, def.type)) return anyOf(inside[def.type]);
    return wrappers.has(def.type) ? anyOf([innerType]) : undefined;
  }

  private namesOfRecord(def: ZodDefinition): JsonObject | undefined {
    if (def.mode === "loose") return undefined;
    const keys = keysOf(def);
    return keys === undefined ? this.namesOfKeys(def.keyType as ZodSchema) : oneOf(keys);
  }

  /** The keys that a record may accept. Its key schema sees a numeric key as a string and as a number. */
  private namesOfKeys(keyType: ZodSchema): JsonObject {
    const asNumber = keyType._zod.def.type === "string" ? [] : [{ pattern: String.raw`^-?\d+(?:\.\d+)?$` }];
    return { anyOf: [this.write(keyType), ...asNumber, { const: proto }] };
  }
}

type WriteZod = (schema: ZodSchema, writer: ZodWriter, open: boolean) => JsonObject;

const unlessCoerced =
  (write: WriteZod): WriteZod =>
  (schema, writer, open) =>
    schema._zod.def.coerce === true ? {} : write(schema, writer, open);
const once =
  (write: WriteZod): WriteZod =>
  (schema, writer, open) =>
    writer.refer(schema, open, () => write(schema, writer, open));
const values: WriteZod = ({ _zod }) => oneOf(_zod.values ?? []);
const inner: WriteZod = (schema, writer, open) => writer.inside(innerOf(schema), open);

/** What Zod checks, by type. Other types accept any value, or one that only Zod can check: any, catch, custom, … */
const parts: ReadonlyMap<string | undefined, WriteZod> = new Map<string | undefined, WriteZod>([
  ...wordsIn("file function map nan never set symbol undefined void").map((type) => [type, nothing] as const),
  ["string", unlessCoerced(checkedString)],
  ["number", unlessCoerced(zodNumber)],
  ["boolean", unlessCoerced(() => ({ type: "boolean" }))],
  ["bigint", unlessCoerced(nothing)],
  ["date", unlessCoerced(nothing)],
  ["null", () => ({ type: "null" })],
  ["enum", values],
  ["literal", values],
  ["template_literal", ({ _zod: { pattern } }) => ({ type: "string", ...(pattern && matching(pattern)) })],
  [
    "array",
    once((schema, writer) =>
      all(
        { type: "array", items: writer.write(schema._zod.def.element as ZodSchema) },
        ...checkedLength(schema),
      ),
    ),
  ],
  ["tuple", once((schema, writer) => writer.tuple(schema._zod.def))],
  ["object", once((schema, writer, open) => writer.object(schema._zod.def, open))],
  ["record", once((schema, writer, open) => writer.record(schema._zod.def, open))],
  [
    "union",
    once(({ _zod: { def } }, writer, open) => ({
      anyOf: (def.options ?? []).map((option) => writer.inside(option, open)),
    })),
  ],
  ["intersection", once((schema, writer, open) => writer.intersection(schema, open))],
  ["lazy", once(inner)],
  [
    "nullable",
    (schema, writer, open) => ({ anyOf: [writer.inside(innerOf(schema), open), { type: "null" }] }),
  ],
  ...wordsIn("optional default prefault nonoptional readonly").map((type) => [type, inner] as const),
  ["pipe", (schema, writer, open) => writer.inside(schema._zod.def.in, open)],
]);

function innerOf({ _zod: { def, innerType = def.innerType } }: ZodSchema): ZodSchema | undefined {
  return innerType;
}

/** Types that accept the keys of the schema that they wrap. */
const wrappers: ReadonlySet<string | undefined> = new Set(
  wordsIn("lazy nullable optional default prefault nonoptional readonly"),
);

function isKey<T extends object>(object: T, key: PropertyKey | undefined): key is keyof T {
  return key !== undefined && Object.hasOwn(object, key);
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
  const { values } = (keyType as ZodSchema)._zod;
  if (values === undefined || partial === true) return undefined;
  return [...values].filter((value) => typeof value === "string" || typeof value === "number").map(String);
}

/** Whether the members of the result have the same keys as those of the input. */
function keepsKeys(keyType: ZodSchema): boolean {
  const { type, options = [] } = keyType._zod.def;
  if (type === "union") return options.every(keepsKeys);
  return /^(?:string|number|enum|literal|template_literal)$/.test(type ?? "") && keepsItsValue(keyType);
}

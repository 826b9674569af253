import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { SchemaError } from "../errors.js";
import type { JsonSchema } from "../schema.js";
import { all, Definitions, isInherited, markOf, matching, nothing, oneOf } from "./definitions.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library } from "./standard-schema.js";
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
  type ZodPayload,
  type ZodSchema,
} from "./zod-definition.js";

/**
 * A Zod 4 schema as a check: for the model its JSON Schema, for a stream its guard, for the answer its validation.
 *
 * @throws {SchemaError} `not_a_schema` if it is not a schema of Zod 4
 *
 * @example
 * ```ts
 * import { JsonParser } from "millrace/json";
 * import { zod } from "millrace/schema";
 * import { z } from "zod";
 *
 * const parser = new JsonParser({ guard: zod(z.object({ stars: z.int().max(5) })).guard() });
 * parser.write('{"stars": 4}');
 * console.log(parser.value);
 * ```
 */
export function zod<Input, Output>(schema: StandardSchemaV1<Input, Output>): SchemaCheck<Input, Output> {
  if (!isZod(schema)) throw new SchemaError("not_a_schema", `Expected a schema of Zod 4. ${updateZod}`);
  return fromStandardSchema(schema, zodLibrary);
}

const zodLibrary: Library = {
  checked: (schema) => checkedByZod(schema as ZodSchema),
  validate: (schema, value) => validatedByZod(schema as ZodSchema, value),
  missing: missingInZod,
};

export function isZod(schema: unknown): boolean {
  return isObjectWith("_zod", schema) && isObjectWith("~standard", schema);
}

function isObjectWith(key: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && key in value;
}

/** Why a schema of Zod, or of another library, has no JSON Schema. */
export function missingInZod(schema: StandardSchemaV1): string | undefined {
  if ("_zod" in schema && !("meta" in schema))
    return 'Zod Mini does not write JSON Schema. Import the functions of this schema from "zod", not from "zod/mini".';
  return schema["~standard"].vendor === "zod"
    ? `This Zod schema cannot be written as JSON Schema: it is of Zod 3 or of an early Zod 4. ${updateZod}`
    : undefined;
}

/** The advice for a schema of an old Zod. */
export const updateZod: string =
  'Install the latest Zod 4 (`npm install zod@4`), and import it from "zod", not from "zod/v3".';

/**
 * Writes as JSON Schema what a Zod schema checks, for the guard. Zod's own JSON Schema describes what a model should
 * send. It includes metadata, and rules that Zod does not enforce. Here, a part that is not listed accepts any value.
 *
 * This file does not import Zod, which is an optional peer dependency.
 */
function checkedByZod(root: ZodSchema): JsonSchema {
  const writer = new ZodWriter();
  return { ...writer.write(root), $defs: writer.$defs };
}

/**
 * Checks a value in one run. Zod's own `validate` runs a schema as a synchronous one first. At the first promise it
 * runs the schema again and drops the promise, so a check that rejects is an unhandled rejection.
 */
function validatedByZod(
  schema: ZodSchema,
  value: unknown,
): StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>> {
  const result = runOf(schema, value);
  if (!(result instanceof Promise) && result.issues.length === 0) return { value: result.value };
  // Only Zod can write the messages of its issues, so a copy of the schema repeats the result.
  const { constr, def } = schema._zod;
  const copy = new constr(def);
  Object.assign(copy._zod, { run: () => result });
  return copy["~standard"].validate(value);
}

function runOf(schema: ZodSchema, value: unknown): ZodPayload | Promise<ZodPayload> {
  const run = (async?: true): ZodPayload | Promise<ZodPayload> =>
    schema._zod.run({ value, issues: [] }, { async });
  if (schema.meta !== undefined) return run(true);
  // With `async`, a transform of Zod Mini returns a promise even if it is synchronous.
  try {
    return run();
  } catch {
    return run(true);
  }
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
    const { def, values = [], pattern, innerType = def.innerType } = schema._zod;
    const inner = (part: ZodSchema | undefined): JsonObject =>
      part === undefined ? {} : this.write(part, open);
    const refer = (write: () => JsonObject): JsonObject =>
      this.definitions.refer(schema, write, open ? "-open" : "");
    switch (def.type) {
      case "string":
        return def.coerce === true ? {} : checkedString(schema);
      case "number":
        return def.coerce === true ? {} : zodNumber(schema);
      case "boolean":
        return def.coerce === true ? {} : { type: "boolean" };
      case "null":
        return { type: "null" };
      case "bigint":
      case "date":
        return def.coerce === true ? {} : nothing();
      case "file":
      case "function":
      case "map":
      case "nan":
      case "never":
      case "set":
      case "symbol":
      case "undefined":
      case "void":
        return nothing();
      case "enum":
      case "literal":
        return oneOf(values);
      case "template_literal":
        return { type: "string", ...(pattern && matching(pattern)) };
      case "array":
        return refer(() =>
          all({ type: "array", items: this.write(def.element as ZodSchema) }, ...checkedLength(schema)),
        );
      case "tuple":
        return refer(() => this.tuple(def));
      case "object":
        return refer(() => this.object(def, open));
      case "record":
        return refer(() => this.record(def, open));
      case "union":
        return refer(() => ({ anyOf: (def.options ?? []).map(inner) }));
      case "intersection":
        return refer(() => this.intersection(schema, open));
      case "lazy":
        return refer(() => inner(innerType));
      case "nullable":
        return { anyOf: [inner(innerType), { type: "null" }] };
      case "optional":
      case "default":
      case "prefault":
      case "nonoptional":
      case "readonly":
        return inner(innerType);
      case "pipe":
        return inner(def.in);
      default:
        return {}; // any value, or one that only Zod can check: any, catch, custom, transform and others
    }
  }

  /** Its own checks see the result, which may be longer: with defaults. */
  private tuple({ items = [], rest }: ZodDefinition): JsonObject {
    return {
      type: "array",
      prefixItems: items.map((item) => this.write(item)),
      items: rest ? this.write(rest) : false,
      minItems: items.findLastIndex((item) => !zodMayBeAbsent(item)) + 1,
    };
  }

  private object({ shape = {}, catchall }: ZodDefinition, open: boolean): JsonObject {
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

  private record(def: ZodDefinition, open: boolean): JsonObject {
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

  private intersection(schema: ZodSchema, open: boolean): JsonObject {
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
    switch (def.type) {
      case "object":
        return isNever(def.catchall) ? oneOf(Object.keys(def.shape ?? {})) : undefined;
      case "record": {
        const keys = keysOf(def);
        if (def.mode === "loose") return undefined;
        return keys === undefined ? this.namesOfKeys(def.keyType as ZodSchema) : oneOf(keys);
      }
      case "union":
        return anyOf(def.options ?? []);
      case "intersection":
        return anyOf([def.left, def.right]);
      case "lazy":
      case "nullable":
      case "optional":
      case "default":
      case "prefault":
      case "nonoptional":
      case "readonly":
        return anyOf([innerType]);
      case "pipe":
        return anyOf([def.in]);
      default:
        return undefined;
    }
  }

  /** The keys that a record may accept. Its key schema sees a numeric key as a string and as a number. */
  private namesOfKeys(keyType: ZodSchema): JsonObject {
    const asNumber = keyType._zod.def.type === "string" ? [] : [{ pattern: String.raw`^-?\d+(?:\.\d+)?$` }];
    return { anyOf: [this.write(keyType), ...asNumber, { const: proto }] };
  }
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

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "../../json/value.js";

/**
 * Removes from the JSON Schema of a Zod schema the rules that Zod does not enforce. For a coercion, `preprocess()` and
 * `catch()` Zod describes the output as the input. It includes limits that hold only after `trim()` and similar. It
 * drops the flags of patterns. This file does not import Zod, which is an optional peer dependency.
 */
export function overrideZod({ zodSchema, jsonSchema }: ZodOverride): void {
  const { def } = zodSchema._zod;
  if (takesAnything(def)) clear(jsonSchema);
  const checks = def.checks ?? [];
  if (checks.some((check) => check._zod.def.check === "overwrite")) clear(jsonSchema, keptByOverwrite);
  if (hasFlags(def.pattern) || checks.some((check) => hasFlags(check._zod.def.pattern))) {
    delete jsonSchema["pattern"];
    delete jsonSchema["allOf"]; // holds the further patterns of a string
  }
  const { required } = jsonSchema;
  if (def.shape !== undefined && Array.isArray(required)) {
    jsonSchema["required"] = required.filter((key) => !takesUndefined(def.shape?.[key as string]));
  }
}

interface ZodOverride {
  readonly zodSchema: ZodSchema;
  readonly jsonSchema: JsonObject;
}

/** The part of Zod 4's `_zod.def` that is used here. Zod documents it for library authors. */
interface ZodSchema extends StandardSchemaV1 {
  readonly _zod: { readonly def: ZodDefinition };
}

interface ZodDefinition {
  readonly type?: string;
  readonly coerce?: boolean;
  readonly pattern?: RegExp;
  readonly in?: ZodSchema;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check?: string; readonly pattern?: RegExp } };
  }[];
}

function takesAnything({ type, coerce, in: input }: ZodDefinition): boolean {
  if (coerce === true || type === "catch" || type === "success") return true;
  return type === "pipe" && input?._zod.def.type === "transform";
}

/** Whether the flags change what the pattern matches. JSON Schema reads a pattern with `u` or without flags as Zod does. */
function hasFlags(pattern: RegExp | undefined): boolean {
  return pattern !== undefined && pattern.flags !== "" && pattern.flags !== "u";
}

/** Whether a property may be absent. Zod offers no other way to find out. */
function takesUndefined(schema: ZodSchema | undefined): boolean {
  try {
    const result = schema?.["~standard"].validate(undefined);
    return result instanceof Promise || result?.issues === undefined;
  } catch {
    return true; // a transform failed on `undefined`: assume that it may be absent
  }
}

/** Keywords that `trim()`, `normalize()` and similar do not affect: they run after the type check, before other checks. */
const keptByOverwrite: ReadonlySet<string> = new Set([
  "stream",
  "format",
  "type",
  "enum",
  "const",
  "items",
  "prefixItems",
  "properties",
  "patternProperties",
  "propertyNames",
  "additionalProperties",
  "required",
  "anyOf",
  "oneOf",
  "$ref",
]);

function clear(jsonSchema: JsonObject, kept: ReadonlySet<string> = new Set(["stream"])): void {
  for (const key of Object.keys(jsonSchema)) if (!kept.has(key)) Reflect.deleteProperty(jsonSchema, key);
  if (jsonSchema["type"] === "integer") jsonSchema["type"] = "number";
}

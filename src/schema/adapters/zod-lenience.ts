import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "../../json/value.js";

/**
 * Takes out of the JSON Schema of each Zod schema what Zod does not insist on. Zod writes the input of a coercion, of
 * `preprocess()` and of `catch()` as if they took only what comes out of them; writes limits that hold only after
 * `trim()` and the like; and loses the flags of patterns. Zod itself is not imported: it is an optional peer.
 */
export function overrideZod({ zodSchema, jsonSchema }: ZodOverride): void {
  const { def } = zodSchema._zod;
  if (takesAnything(def)) clear(jsonSchema);
  const checks = def.checks ?? [];
  if (checks.some((check) => check._zod.def.check === "overwrite")) clear(jsonSchema, keptByOverwrite);
  if (hasFlags(def.pattern) || checks.some((check) => hasFlags(check._zod.def.pattern))) {
    delete jsonSchema["pattern"];
    delete jsonSchema["allOf"]; // of a string: its other patterns
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

/** The part of Zod 4's own description of a schema that counts here: `_zod.def`, which is documented for library authors. */
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

/** A flag changes what a pattern matches; those without one, and with `u`, mean in JSON Schema what they mean in Zod. */
function hasFlags(pattern: RegExp | undefined): boolean {
  return pattern !== undefined && pattern.flags !== "" && pattern.flags !== "u";
}

/** Zod has no other way to tell: what takes `undefined` may often be left out. */
function takesUndefined(schema: ZodSchema | undefined): boolean {
  try {
    const result = schema?.["~standard"].validate(undefined);
    return result instanceof Promise || result?.issues === undefined;
  } catch {
    return true; // of a transform that did not expect it: who knows
  }
}

/** What `trim()`, `normalize()` and the like do not change: they come after the type, before the checks. */
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

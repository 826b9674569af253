import type { JsonObject } from "../../json/value.js";

/**
 * The JSON Schema of a Valibot schema as far as Valibot insists on it: with a fallback it takes anything, or nothing; and
 * a tuple may end before its optional elements. Everything else that Valibot changes, it writes as it comes in.
 */
export function overrideValibot({ valibotSchema, jsonSchema }: ValibotOverride): JsonObject | undefined {
  if (hasFallback(valibotSchema)) return {};
  const { entries, items } = valibotSchema;
  const { required, minItems, ...others } = jsonSchema;
  if (Array.isArray(items) && minItems !== undefined) {
    return { ...others, minItems: items.findLastIndex((item: ValibotSchema) => !mayBeLeftOut(item)) + 1 };
  }
  if (entries === undefined || !Array.isArray(required)) return undefined;
  return { ...jsonSchema, required: required.filter((key) => !hasFallback(entries[key as string])) };
}

interface ValibotOverride {
  readonly valibotSchema: ValibotSchema;
  readonly jsonSchema: JsonObject;
}

interface ValibotSchema {
  readonly type?: string;
  readonly fallback?: unknown;
  /** Of a tuple; what an array repeats has another name. */
  readonly items?: unknown;
  readonly entries?: Readonly<Record<string, ValibotSchema>>;
}

function mayBeLeftOut(schema: ValibotSchema): boolean {
  return hasFallback(schema) || /^(?:optional|exact_optional|nullish|undefinedable)$/.test(schema.type ?? "");
}

function hasFallback(schema: ValibotSchema | undefined): boolean {
  return schema !== undefined && "fallback" in schema;
}

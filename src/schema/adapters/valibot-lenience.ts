import type { JsonObject } from "../../json/value.js";

/**
 * Removes from the JSON Schema of a Valibot schema the rules that Valibot does not enforce: a schema with a fallback
 * accepts any value and may be absent, and a tuple may end before its optional elements. All other JSON Schemas by
 * Valibot describe the input.
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
  /** The elements of a tuple. The element of an array is called `item`. */
  readonly items?: unknown;
  readonly entries?: Readonly<Record<string, ValibotSchema>>;
}

function mayBeLeftOut(schema: ValibotSchema): boolean {
  return hasFallback(schema) || /^(?:optional|exact_optional|nullish|undefinedable)$/.test(schema.type ?? "");
}

function hasFallback(schema: ValibotSchema | undefined): boolean {
  return schema !== undefined && "fallback" in schema;
}

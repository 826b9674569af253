import type { JsonObject } from "../json/value.js";

/**
 * The JSON Schema of a Valibot schema as far as Valibot insists on it: with a fallback it takes anything, or nothing.
 * Everything else that Valibot changes on the way, it writes as it comes in.
 */
export function overrideValibot({ valibotSchema, jsonSchema }: ValibotOverride): JsonObject | undefined {
  if (hasFallback(valibotSchema)) return {};
  const { entries } = valibotSchema;
  const { required } = jsonSchema;
  if (entries === undefined || !Array.isArray(required)) return undefined;
  return { ...jsonSchema, required: required.filter((key) => !hasFallback(entries[key as string])) };
}

interface ValibotOverride {
  readonly valibotSchema: ValibotSchema;
  readonly jsonSchema: JsonObject;
}

interface ValibotSchema {
  readonly fallback?: unknown;
  readonly entries?: Readonly<Record<string, ValibotSchema>>;
}

function hasFallback(schema: ValibotSchema | undefined): boolean {
  return schema !== undefined && "fallback" in schema;
}

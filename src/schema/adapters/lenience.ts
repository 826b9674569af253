import { mapSchema } from "../map-schema.js";
import type { JsonSchema } from "../schema.js";
import { overrideValibot } from "./valibot-lenience.js";
import { overrideZod } from "./zod-lenience.js";

/** How to get a JSON Schema from a library that accepts every value that the library accepts. */
export interface Lenience {
  /** Options for the library's converter (Standard JSON Schema). */
  readonly libraryOptions?: Record<string, unknown>;
  /** Changes the converted schema. */
  readonly adapt?: (jsonSchema: JsonSchema) => JsonSchema;
}

/**
 * A library's JSON Schema describes what a model should send, but the library itself may accept more. Zod and Valibot
 * let us adapt each part of a schema. For other libraries only the patterns are dropped, because the flags of a regular
 * expression get lost.
 */
export function lenience(vendor: string): Lenience {
  switch (vendor) {
    case "zod":
      return { libraryOptions: { override: overrideZod } };
    case "valibot":
      return { libraryOptions: { overrideSchema: overrideValibot } };
    default:
      return { adapt: withoutPatterns };
  }
}

/** A copy without regular expressions. */
function withoutPatterns(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ pattern: _pattern, patternProperties, ...others }) => {
    // Which keys are additional depends on the patterns too.
    if (patternProperties !== undefined) delete others["additionalProperties"];
    return others;
  });
}

import { mapSchema } from "../map-schema.js";
import type { JsonSchema } from "../schema.js";
import { overrideValibot } from "./valibot-lenience.js";
import { overrideZod } from "./zod-lenience.js";

/** How a library is asked for a JSON Schema that refuses nothing which the library takes. */
export interface Lenience {
  /** What the library's converter is given (Standard JSON Schema). */
  readonly libraryOptions?: Record<string, unknown>;
  /** What is done to the outcome. */
  readonly adapt?: (jsonSchema: JsonSchema) => JsonSchema;
}

/**
 * Libraries write as JSON Schema what a model should send, and take more than that. Zod and Valibot can be asked about
 * each part of a schema; of others, all but the patterns is believed: they lose the flags of a regular expression.
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

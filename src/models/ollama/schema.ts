import type { JsonValue } from "../../json/value.js";
import { droppedIf, each, keptIf, readAsAnyOf, refused, type SchemaDialect } from "../dialect/dialect.js";

/**
 * The schemas of Ollama. The server turns them into a grammar (llama.cpp, "json-schema-to-grammar") that the model must
 * follow. Keywords that only narrow a value and have no grammar are ignored there.
 */
export const ollamaSchema: SchemaDialect = {
  expressed: "expressed for Ollama",
  wayOut: "With strict: false it is sent unchanged.",
  keywords: {
    ...each(
      "type enum const properties required additionalProperties items prefixItems minItems maxItems",
      "kept",
    ),
    ...each("allOf anyOf $defs definitions", "kept"),
    oneOf: readAsAnyOf,
    $ref: keptIf("inside the schema", (value) => typeof value !== "string" || value.startsWith("#"), {
      refused: true,
      problem: "the reference points outside the schema",
    }),
    ...each(
      "minLength maxLength",
      keptIf("without `pattern`", (_, { pattern }) => pattern === undefined, "ignored"),
    ),
    ...each(
      "minimum maximum exclusiveMinimum exclusiveMaximum",
      keptIf("of integers", (_, { type }) => type === "integer", "ignored"),
    ),
    format: keptIf("date, time, date-time, uuid", (value) => grammarFormats.has(value), "ignored"),
    // Another pattern would break the grammar.
    pattern: droppedIf(
      "unless it is anchored and plain",
      (value) => typeof value === "string" && !isPlain(value),
      "kept",
    ),
    ...each(
      `not if then else patternProperties dependentSchemas dependentRequired dependencies contains
      unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef`,
      refused,
    ),
  },
  others: "ignored",
};

const grammarFormats: ReadonlySet<JsonValue> = new Set(["date", "time", "date-time", "uuid"]);

/**
 * Whether the grammar supports the pattern: anchored at both ends, without `(?` groups and lazy quantifiers, and with
 * escapes only for a few classes and special characters (ollama/ollama#18226).
 */
function isPlain(pattern: string): boolean {
  return /^\^.*\$$/su.test(pattern) && !/\(\?|[*+?}]\?|\\[^dws.\\()[\]{}+*?|^$]/u.test(pattern);
}

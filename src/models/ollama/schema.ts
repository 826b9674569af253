import { childPointer } from "../../tree/pointer.js";
import type { JsonObject } from "../../json/value.js";
import { mapSchema, withoutMarks } from "../../schema/map-schema.js";
import { refuseIn } from "../request/request-errors.js";

/**
 * A JSON Schema as Ollama knows it: the server makes a grammar of it (llama.cpp, "json-schema-to-grammar"), and the model
 * can write nothing else. What only narrows a value and has no grammar is overlooked there, and checked at the end as
 * always; a pattern that would break the grammar is left out. A keyword without which the schema would mean something
 * else is refused.
 *
 * @throws {ModelError} `invalid_request` with the JSON Pointer of what cannot be expressed
 */
export function ollamaSchema(schema: JsonObject): JsonObject {
  return mapSchema(withoutMarks(schema), (inner, pointer) => {
    for (const keyword of refused) {
      if (inner[keyword] !== undefined)
        throw refusal(childPointer(pointer, keyword), `Ollama has no "${keyword}"`);
    }
    const { $ref, pattern, ...others } = inner;
    if (typeof $ref === "string" && !$ref.startsWith("#")) {
      throw refusal(childPointer(pointer, "$ref"), "the reference leads out of the schema");
    }
    return typeof pattern === "string" && !isPlain(pattern)
      ? { ...others, ...($ref === undefined ? undefined : { $ref }) }
      : inner;
  });
}

const refused: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
  "contains",
  "unevaluatedItems",
  "unevaluatedProperties",
  "$dynamicRef",
  "$recursiveRef",
];

/**
 * Whether the grammar knows all of the pattern: it is anchored at both ends, and has no groups with `(?`, no lazy
 * quantifiers, and no escapes but those of a few classes and of what has a meaning otherwise. (ollama/ollama#18226)
 */
function isPlain(pattern: string): boolean {
  return /^\^.*\$$/su.test(pattern) && !/\(\?|[*+?}]\?|\\[^dws.\\()[\]{}+*?|^$]/u.test(pattern);
}

const refusal = refuseIn("the request", "expressed for Ollama", "With strict: false it is sent as it is.");

import { childPointer } from "../../tree/pointer.js";
import type { JsonObject } from "../../json/value.js";
import { mapSchema, withoutMarks } from "../../schema/map-schema.js";
import { refuseIn } from "../request/request-errors.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * Converts a JSON Schema for Ollama. The server turns it into a grammar (llama.cpp, "json-schema-to-grammar") that the
 * model must follow. Keywords that only narrow a value and have no grammar are ignored there and checked at the end as
 * always. A pattern that would break the grammar is dropped. A keyword that changes the meaning of the schema is
 * refused.
 *
 * @throws {ModelError} `invalid_request` with the JSON Pointer of the unsupported part
 */
export function ollamaSchema(schema: JsonObject): JsonObject {
  return mapSchema(withoutMarks(schema), (inner, pointer) => {
    for (const keyword of refused) {
      if (inner[keyword] !== undefined)
        throw refusal(childPointer(pointer, keyword), `Ollama has no "${keyword}"`);
    }
    const { $ref, pattern, ...others } = inner;
    if (typeof $ref === "string" && !$ref.startsWith("#")) {
      throw refusal(childPointer(pointer, "$ref"), "the reference points outside the schema");
    }
    return typeof pattern === "string" && !isPlain(pattern)
      ? { ...others, ...($ref === undefined ? undefined : { $ref }) }
      : inner;
  });
}

const refused: readonly string[] = wordsIn(`
  not if then else patternProperties dependentSchemas dependentRequired dependencies contains
  unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef
`);

/**
 * Whether the grammar supports the pattern: anchored at both ends, without `(?` groups and lazy quantifiers, and with
 * escapes only for a few classes and special characters (ollama/ollama#18226).
 */
function isPlain(pattern: string): boolean {
  return /^\^.*\$$/su.test(pattern) && !/\(\?|[*+?}]\?|\\[^dws.\\()[\]{}+*?|^$]/u.test(pattern);
}

const refusal = refuseIn("the request", "expressed for Ollama", "With strict: false it is sent unchanged.");

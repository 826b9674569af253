import { isContainer, type JsonObject } from "../../json/value.js";
import { wordsIn } from "../../text/words-in.js";
import { MAX_COMPARED, type SchemaSource } from "../guard/schema-source.js";
import { anyLibrary } from "../keywords/dialect.js";
import { jsonSchemaDialect } from "../interpreter/dialect.js";
import { knownKeywords } from "../interpreter/draft.js";
import { SchemaDocument } from "../interpreter/schema-document.js";

/**
 * The source of a JSON Schema of any draft.
 *
 * @param interprets whether the interpreter checks complete values, and the guard is as strict
 */
export function documentSource(document: SchemaDocument, interprets: boolean): SchemaSource {
  const { root, nodes } = document;
  return {
    root: root.schema,
    dialect: interprets ? jsonSchemaDialect : anyLibrary,
    find(schema) {
      const node = document.find(schema);
      if (node === undefined) return undefined;
      const keywords = knownKeywords(node.schema as JsonObject, node.resource.draft);
      return {
        keywords,
        // The target of a dynamic reference depends on the path to it, which is not known here.
        targets: node.references.map(({ target, dynamicName }) =>
          dynamicName === undefined ? target?.schema : undefined,
        ),
        // References are relative to the resource.
        isComparable: node.resource === root.resource && nodes.length <= MAX_COMPARED,
        node: interprets && !document.isDynamic ? node : undefined,
        isPartial: interprets && isPartial(keywords),
      };
    },
  };
}

/**
 * The source of a schema that a library checks, not the interpreter. One that cannot be used allows anything: its own
 * check and `jsonSchema` report why.
 */
export function checkedSource(write: () => JsonObject): SchemaSource {
  try {
    return documentSource(new SchemaDocument(write()), false);
  } catch {
    return documentSource(new SchemaDocument({}), false);
  }
}

/** Whether the schema has a keyword that the guard does not read, or not all of. */
function isPartial(schema: JsonObject): boolean {
  const { const: only, enum: options, if: condition, oneOf, uniqueItems } = schema;
  return (
    uniqueItems === true ||
    interpretedKeywords.some((keyword) => Object.hasOwn(schema, keyword)) ||
    (condition !== undefined && ("then" in schema || "else" in schema)) ||
    (Array.isArray(oneOf) && oneOf.length > 1) ||
    [only, ...(Array.isArray(options) ? options : [])].some(isContainer)
  );
}

const interpretedKeywords = wordsIn(`
  not contains dependencies dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties
`);

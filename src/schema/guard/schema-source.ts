import type { JsonObject } from "../../json/value.js";
import { localTarget } from "../inline-references.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import { anyLibrary, type KeywordDialect } from "../keywords/dialect.js";

/** The schemas of one document, as the guard reads them. */
export interface SchemaSource {
  readonly root: JsonObject | boolean;
  readonly dialect: KeywordDialect;
  /** `undefined` if the object is not a schema of the document. */
  find(schema: JsonObject): FoundSchema | undefined;
}

export interface FoundSchema {
  /** The keywords that the draft of the schema knows. */
  readonly keywords: JsonObject;
  /** The targets of its references. One that is not known allows any value. */
  readonly targets: readonly unknown[];
  /** Whether schemas with the same text have the same rules. The texts of a large document would take much memory. */
  readonly isComparable: boolean;
  /** The schema for the interpreter, which checks what the guard cannot express. */
  readonly node: SchemaNode | undefined;
  /** Whether it has keywords that only the interpreter reads. */
  readonly isPartial?: boolean;
}

/** In a document with more schemas, they are not compared. */
export const MAX_COMPARED = 1_000;

/** The source of a schema that an adapter wrote: its references are JSON Pointers, and only the guard checks it. */
export function writtenSource(root: JsonObject): SchemaSource {
  let found = 0;
  return {
    root,
    dialect: anyLibrary,
    find(schema) {
      const { $ref } = schema;
      const targets = typeof $ref === "string" ? [localTarget(root, $ref)] : [];
      return { keywords: schema, targets, isComparable: found++ < MAX_COMPARED, node: undefined };
    },
  };
}

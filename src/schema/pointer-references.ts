import type { JsonObject } from "../json/value.js";
import type { SchemaDocument } from "./interpreter/schema-document.js";
import { mapSchema } from "./map-schema.js";

/**
 * Writes references to ids and anchors as JSON Pointers from the root: `{ $ref: "Node" }`, as in recursive types of
 * TypeBox, becomes `{ $ref: "#/$defs/Node" }`. Providers know no others. The ids are removed, because a reference in a
 * part with an id stays inside it.
 *
 * Returns the same schema if it has no such reference, or if its meaning would change: it has a dynamic reference, one
 * that leads nowhere, or a part of another draft.
 */
export function withPointerReferences(root: JsonObject, document: SchemaDocument): JsonObject {
  const { resource: whole } = document.root;
  const written = new Map<string, string>();
  let changes = false;
  for (const { pointer, resource, references } of document.nodes) {
    if (resource.draft !== whole.draft) return root;
    for (const { keyword, uri, target } of references) {
      if (keyword !== "$ref" || target === undefined || !/^(?:\/|$)/.test(target.pointer)) return root;
      written.set(pointer, `#${encodeURI(target.pointer)}`);
      changes ||= resource !== whole || !/^#(?:\/|$)/.test(uri);
    }
  }
  if (!changes) return root;
  const rewritten = mapSchema(root, (schema, pointer) => {
    const $ref = written.get(pointer);
    written.delete(pointer);
    const { [whole.draft === 4 ? "id" : "$id"]: id, ...others } = schema;
    return { ...(typeof id === "string" ? others : schema), ...($ref !== undefined && { $ref }) };
  });
  // A reference may lead to a place that no keyword leads to.
  return written.size === 0 ? rewritten : root;
}

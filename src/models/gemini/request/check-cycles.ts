import { childPointer, parsePointer } from "../../../tree/pointer.js";
import { isObject, type JsonObject, type JsonValue, valueAt } from "../../../json/value.js";
import { mapSchema } from "../../../schema/map-schema.js";
import { targetOf } from "../../request/references.js";
import { refuseSchema } from "./schema-refusal.js";

/**
 * "Cyclic references are unrolled to a limited degree and, as such, may only be used within non-required properties.
 * (Nullable properties are not sufficient.)" - the reference of `responseJsonSchema`.
 *
 * @throws {ModelError} `invalid_request` with the JSON Pointer of a reference that forms a cycle without such a
 *   property, or that cannot be resolved
 */
export function checkCycles(root: JsonObject): void {
  const checked = new Set<JsonObject>();
  const visit = (schema: JsonValue | undefined, pointer: string, above: readonly JsonValue[]): void => {
    if (Array.isArray(schema)) schema.forEach((item, i) => visit(item, childPointer(pointer, i), above));
    if (!isObject(schema) || checked.has(schema)) return;
    const within = [...above, schema];
    for (const keyword of inner) visit(schema[keyword], childPointer(pointer, keyword), within);
    const { properties, $ref } = schema;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (!isRequired(schema, name)) continue;
      visit(property, childPointer(childPointer(pointer, "properties"), name), within);
    }
    if (typeof $ref === "string") follow($ref, childPointer(pointer, "$ref"), within);
    checked.add(schema);
  };
  const follow = (reference: string, pointer: string, above: readonly JsonValue[]): void => {
    if (!reference.startsWith("#")) throw refuseSchema(pointer, "the reference points outside the schema");
    const place = targetOf(reference, pointer, refuseSchema);
    if (place === undefined) return; // an anchor, which Gemini knows
    const target = valueAt(root, parsePointer(place));
    if (target === undefined) throw refuseSchema(pointer, "the reference points to nothing");
    if (above.includes(target)) {
      throw refuseSchema(pointer, "Gemini supports a recursive schema only inside an optional property");
    }
    visit(target, place, above);
  };
  visit(root, "", []);
  // Schemas reached only through optional properties start a new path.
  mapSchema(root, (schema, pointer) => {
    visit(schema, pointer, []);
    return schema;
  });
}

const inner = ["items", "prefixItems", "anyOf", "oneOf", "allOf"] as const;

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

import { childPointer } from "../../../tree/pointer.js";
import { type JsonObject, valueAt } from "../../../json/value.js";
import { mapSchema } from "../../../schema/map-schema.js";
import { definitionAt, targetOf } from "../../request/references.js";
import type { Refuse } from "../../request/request-errors.js";

/**
 * Checks that every reference points to a definition in the schema, without cycles.
 *
 * @throws the error of `refuse` for the first invalid reference
 */
export function checkReferences(schema: JsonObject, refuse: Refuse): void {
  const references = new Map<string, StrictReference[]>();
  mapSchema(schema, (inner, pointer) => {
    const { $ref } = inner;
    if (typeof $ref !== "string") return inner;
    const place = childPointer(pointer, "$ref");
    const target = targetOf($ref, place, refuse);
    if (target === "") throw refuse(place, "the schema contains itself");
    const definition = target === undefined ? undefined : definitionAt(target);
    if (target === undefined || definition === undefined || valueAt(schema, definition) === undefined) {
      throw refuse(place, "the reference does not point to a definition in the schema");
    }
    const owner = ownerOf(place);
    if (owner === undefined) return inner;
    const siblings = references.get(owner);
    if (siblings === undefined) references.set(owner, [{ place, target }]);
    else siblings.push({ place, target });
    return inner;
  });
  const checked = new Set<string>();
  for (const owner of references.keys()) {
    const circular = circularFrom(owner, references, checked, new Map());
    if (circular !== undefined) throw refuse(circular.place, "the schema contains itself");
  }
}

interface StrictReference {
  readonly place: string;
  /** The JSON Pointer of the definition. */
  readonly target: string;
}

/** The definition that contains a place. */
function ownerOf(place: string): string | undefined {
  return /^\/(?:\$defs|definitions)\/[^/]+/.exec(place)?.[0];
}

/**
 * Finds a reference in a circle.
 *
 * @param checked definitions that were visited: from them, no other circle can be found
 * @param path the reference that was followed in each definition on the way
 */
function circularFrom(
  definition: string,
  references: ReadonlyMap<string, readonly StrictReference[]>,
  checked: Set<string>,
  path: Map<string, StrictReference>,
): StrictReference | undefined {
  if (path.has(definition)) return path.get(definition);
  if (checked.has(definition)) return undefined;
  checked.add(definition);
  for (const reference of references.get(definition) ?? []) {
    path.set(definition, reference);
    const circular = circularFrom(reference.target, references, checked, path);
    if (circular !== undefined) return circular;
  }
  path.delete(definition);
  return undefined;
}

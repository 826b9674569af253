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
  const references: StrictReference[] = [];
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
    references.push({ place, target });
    return inner;
  });
  for (const { place, target } of references) {
    const owner = ownerOf(place);
    if (owner !== undefined && leadsTo(target, owner, references, new Set())) {
      throw refuse(place, "the schema contains itself");
    }
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

function leadsTo(
  from: string,
  to: string,
  references: readonly StrictReference[],
  seen: Set<string>,
): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return references.some(
    ({ place, target }) => ownerOf(place) === from && leadsTo(target, to, references, seen),
  );
}

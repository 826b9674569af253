import { entriesIn, type JsonObject, valueAt } from "../json/value.js";
import { parsePointer } from "../tree/pointer.js";
import { draftOf } from "./interpreter/draft.js";
import { mapSchema } from "./map-schema.js";
import type { Schema } from "./schema.js";

const combined = new WeakSet<object>();

/** Whether the input is a schema that this package made. It is used as it is. */
export function isCombined<T>(input: object): input is Schema<T> {
  return combined.has(input);
}

/** Marks a schema that this package made. */
export function asCombined<S extends object>(schema: S): S {
  combined.add(schema);
  return schema;
}

/** A schema made of others. Its JSON Schemas are written on first use. */
export function combinedSchema<T>(parts: CombinedParts<T>): Schema<T> {
  const { write, validate } = parts;
  const written: { jsonSchema?: JsonObject; streamSchema?: JsonObject } = {};
  return asCombined<Schema<T>>({
    get name() {
      return parts.name;
    },
    get jsonSchema() {
      return (written.jsonSchema ??= write("jsonSchema"));
    },
    get streamSchema() {
      return (written.streamSchema ??= write("streamSchema"));
    },
    get warnings() {
      return parts.warnings();
    },
    validate,
  });
}

interface CombinedParts<T> extends Pick<Schema<T>, "name" | "validate"> {
  readonly warnings: () => Schema<T>["warnings"];
  readonly write: (kind: "jsonSchema" | "streamSchema") => JsonObject;
}

/**
 * Prepares a JSON Schema to become a part of another one. Its definitions get names of their own among the definitions
 * of that schema, and its references follow.
 *
 * @param $defs the definitions of the other schema. The function adds to them
 * @param name distinguishes the definitions of this part
 */
export function asPart(schema: JsonObject, $defs: JsonObject, name: string): JsonObject {
  const id = draftOf(schema) === 4 ? "id" : "$id";
  if (typeof schema[id] === "string") return schema; // its references stay inside it
  let refersToRoot = false;
  const renamed = mapSchema(schema, ({ $ref, ...others }, pointer) => {
    // The references of a part with an id stay inside it too, so they are as before.
    const own = others[id];
    if (typeof own === "string" && !own.startsWith("#"))
      return valueAt(schema, parsePointer(pointer)) as JsonObject;
    if (typeof $ref !== "string" || !/^#(?:\/|$)/.test($ref))
      return { ...others, ...($ref !== undefined && { $ref }) };
    const [, definition] = /^#\/(?:\$defs|definitions)\/(.*)$/s.exec($ref) ?? [];
    refersToRoot ||= definition === undefined;
    return {
      ...others,
      $ref: definition === undefined ? `#/$defs/${name}${$ref.slice(1)}` : `#/$defs/${name}_${definition}`,
    };
  });
  const { $schema: _, $defs: own, definitions, ...part } = renamed;
  for (const [key, value] of [...entriesIn(definitions), ...entriesIn(own)]) $defs[`${name}_${key}`] = value;
  if (!refersToRoot) return part;
  $defs[name] = part;
  return { $ref: `#/$defs/${name}` };
}

/** The name, with a number if a definition has it. */
export function freeName(name: string, taken: JsonObject): string {
  let free = name;
  for (let i = 2; Object.hasOwn(taken, free); i++) free = `${name}_${i}`;
  return free;
}

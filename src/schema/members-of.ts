import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isObject, type JsonObject } from "../json/value.js";
import type { ZodSchema } from "./adapters/zod-definition.js";
import { combinedSchema, freeName, isCombined } from "./combined.js";
import { inlineReferences } from "./inline-references.js";
import { mapSchema } from "./map-schema.js";
import { type Schema, thenOrNow, titleOf } from "./schema.js";
import { getOrInsert } from "../tree/made-once.js";
import { isStandardSchema, schemaOf, type SchemaInput } from "./schema-of.js";

/**
 * The schemas of a union, also of unions inside it. A schema that is no union is its own only member. The members of a
 * JSON Schema and of Zod check themselves. Those of other libraries, and of unions with checks or of which a value may
 * match only one, are checked by the whole union.
 */
export function membersOf(input: SchemaInput): readonly Schema<unknown>[] {
  const schema = schemaOf(input);
  return getOrInsert(known, schema, () => createMembers(schema, input));
}

const known = new WeakMap<Schema<unknown>, readonly Schema<unknown>[]>();

function createMembers(schema: Schema<unknown>, input: SchemaInput): readonly Schema<unknown>[] {
  // As given, a JSON Schema also has the marks of this package.
  const document = isStandardSchema(input) || isCombined(input) ? schema.jsonSchema : schema.streamSchema;
  const whole = inlineReferences(withNamedRoot(document));
  return alternativesIn(whole) === undefined ? [schema] : split(schema, input, whole);
}

/** @param jsonSchema the JSON Schema of `schema`, with inlined references */
function split(schema: Schema<unknown>, input: SchemaInput, jsonSchema: JsonObject): Schema<unknown>[] {
  const alternatives = alternativesIn(jsonSchema);
  if (alternatives === undefined) {
    return isStandardSchema(input) ? [withJsonSchema(schema, jsonSchema)] : [schemaOf(jsonSchema)];
  }
  if (!isStandardSchema(input)) {
    const members = alternatives.flatMap((it) => split(schema, it, it));
    if (!("oneOf" in jsonSchema)) return members;
    const union = schemaOf(jsonSchema);
    return members.map((it) => within(union, it));
  }
  const options = optionsOf(input);
  return alternatives.flatMap((alternative, i) => {
    const option = options?.length === alternatives.length ? options[i] : undefined;
    return split(option === undefined ? schema : schemaOf(option), option ?? input, alternative);
  });
}

/** The alternatives at the root, each a whole document; `undefined` if the schema has more than a choice. */
function alternativesIn(jsonSchema: JsonObject): readonly JsonObject[] | undefined {
  const { anyOf, oneOf, ...others } = jsonSchema;
  const choice = anyOf ?? oneOf;
  if (!Array.isArray(choice) || choice.length === 0 || (anyOf !== undefined && oneOf !== undefined))
    return undefined;
  if (!choice.every((it) => isObject(it)) || !Object.keys(others).every(isAnnotation)) return undefined;
  const { title: _title, description: _description, ...shared } = others;
  return choice.map((it) => ({ ...shared, ...it, ...definitionsOf(shared, it) }));
}

/** The definitions of a union and those of one alternative. The references of one with an id stay inside it. */
function definitionsOf(shared: JsonObject, alternative: JsonObject): JsonObject {
  if (typeof alternative["$id"] === "string") return {};
  const merged: JsonObject = {};
  for (const keyword of ["$defs", "definitions"]) {
    const [own, common] = [alternative[keyword], shared[keyword]];
    if (isObject(own) && isObject(common)) merged[keyword] = { ...own, ...common };
  }
  return merged;
}

/** Whether a keyword beside the choice belongs to each alternative too. */
function isAnnotation(keyword: string): boolean {
  return /^(?:\$(?:schema|id|defs|comment)|definitions|title|description|examples|type|discriminator)$/.test(
    keyword,
  );
}

/** Lets references to the root, as in a recursive union, still lead to the whole union. */
function withNamedRoot(jsonSchema: JsonObject): JsonObject {
  const rootName = freeName("union", (jsonSchema["$defs"] ?? {}) as JsonObject);
  let refersToRoot = false;
  const renamed = mapSchema(jsonSchema, (schema) => {
    const { $ref } = schema;
    if (typeof $ref !== "string" || !/^#(?:$|\/(?:anyOf|oneOf)\/)/.test($ref)) return schema;
    refersToRoot = true;
    return { ...schema, $ref: `#/$defs/${rootName}${$ref.slice(1)}` };
  });
  if (!refersToRoot) return jsonSchema;
  const { $schema, $defs, ...root } = renamed;
  return {
    ...root,
    ...($schema !== undefined && { $schema }),
    $defs: { ...($defs as JsonObject | undefined), [rootName]: root },
  };
}

/** The members of a union of Zod that does nothing but choose one. A value of `z.xor()` must not match two. */
function optionsOf(input: StandardSchemaV1): readonly StandardSchemaV1[] | undefined {
  const { def } = (input as Partial<ZodSchema>)._zod ?? {};
  if (def?.type !== "union" || (def.checks ?? []).length > 0) return undefined;
  return def.inclusive === false && def.discriminator === undefined ? undefined : def.options;
}

/** A member whose values must satisfy the union too. */
function within(union: Schema<unknown>, member: Schema<unknown>): Schema<unknown> {
  return {
    ...member,
    validate: (value) =>
      thenOrNow(member.validate(value), (checked) =>
        checked.issues === undefined ? union.validate(value) : checked,
      ),
  };
}

function withJsonSchema(schema: Schema<unknown>, jsonSchema: JsonObject): Schema<unknown> {
  return combinedSchema<unknown>({
    name: titleOf(jsonSchema),
    write: (kind) => (kind === "jsonSchema" ? jsonSchema : schema.streamSchema),
    warnings: () => schema.warnings,
    validate: (value) => schema.validate(value),
  });
}

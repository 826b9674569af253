import { isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import { freeName } from "../../schema/combined.js";
import { withTarget } from "../../schema/inline-references.js";
import { mapSchema } from "../../schema/map-schema.js";
import { percentDecoded } from "../../text/url-credentials.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import type { ReferenceRules } from "./dialect.js";
import type { Refuse } from "./refuse.js";

/** The JSON Pointer of a `$ref` into its own document. `undefined` for an anchor and another document. */
function targetOf($ref: string, place: string, refuse: Refuse): string | undefined {
  if (!$ref.startsWith("#")) return undefined;
  try {
    const target = percentDecoded($ref.slice(1));
    if (target !== "" && !target.startsWith("/")) return undefined;
    parsePointer(target);
    return target;
  } catch {
    throw refuse(place, `the reference ${JSON.stringify($ref)} is not a valid JSON Pointer`);
  }
}

/** The keyword and the name of a definition at the root, if that is what the pointer leads to. */
function definitionAt(target: string): readonly [keyword: string, name: string] | undefined {
  const [keyword = "", name, ...more] = parsePointer(target);
  const isDefinition = (keyword === "$defs" || keyword === "definitions") && more.length === 0;
  return isDefinition && name !== undefined ? [keyword, name] : undefined;
}

/**
 * Copies every schema that a `$ref` finds elsewhere than in the definitions to `$defs`, because a conversion may change
 * or move what is at its first place.
 *
 * @param isKept the JSON Pointers that may stay. Default: the root and definitions
 */
export function withDefinitions(
  schema: JsonObject,
  refuse: Refuse,
  isKept = (target: string): boolean => target === "" || definitionAt(target) !== undefined,
): JsonObject {
  const $defs: JsonObject = isObject(schema["$defs"]) ? { ...schema["$defs"] } : {};
  const names = new Map<string, string>();
  const nameOf = (target: string, place: string): string => {
    const known = names.get(target);
    if (known !== undefined) return known;
    if (!isObject(valueAt(schema, parsePointer(target)))) {
      throw refuse(place, "the reference does not point to a schema");
    }
    const words = target === "" ? "root" : parsePointer(target).join("_");
    const name = freeName(words.replace(/[^\w-]/g, "_"), $defs);
    $defs[name] = {}; // takes the name
    names.set(target, name);
    return name;
  };
  const referring = mapSchema(schema, (inner, pointer) => {
    const { $ref } = inner;
    if (typeof $ref !== "string") return inner;
    const place = childPointer(pointer, "$ref");
    const target = targetOf($ref, place, refuse);
    if (target === undefined || isKept(target)) return inner;
    return { ...inner, $ref: `#/$defs/${nameOf(target, place)}` };
  });
  if (names.size === 0) return schema;
  const own = isObject(referring["$defs"]) ? referring["$defs"] : {};
  const copies = [...names].map(([target, name]) => {
    if (target !== "") return [name, valueAt(referring, parsePointer(target))];
    const { $defs: _, definitions: __, $schema: ___, ...root } = referring;
    return [name, root];
  });
  return { ...referring, $defs: { ...own, ...(Object.fromEntries(copies) as JsonObject) } };
}

/** Replaces a root `$ref`, as in recursive schemas, with its target: strict modes require an object at the root. */
export function withRootTarget(schema: JsonObject, refuse: Refuse): JsonObject {
  const { $ref, ...others } = schema;
  if (typeof $ref !== "string") return schema;
  const target = targetOf($ref, "/$ref", refuse);
  const definition = target === undefined ? undefined : definitionAt(target);
  const root = definition === undefined ? undefined : valueAt(others, definition);
  return isObject(root) ? withTarget(others, root, schema) : schema;
}

/** Checks that every reference leads to a schema, and where a schema may contain itself. */
export function checkReferences(root: JsonObject, rules: ReferenceRules, refuse: Refuse): void {
  const { onlyDefinitions, cycles } = rules;
  const checked = new Set<JsonObject>();
  const visit = (
    schema: JsonValue | undefined,
    pointer: string,
    path: readonly SchemaStep[],
    via?: string,
  ): void => {
    if (Array.isArray(schema)) schema.forEach((item, i) => visit(item, childPointer(pointer, i), path));
    if (!isObject(schema) || checked.has(schema)) return;
    const within = [...path, { schema, via }];
    for (const keyword of inner) visit(schema[keyword], childPointer(pointer, keyword), within);
    const { properties, $ref } = schema;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (cycles === "optional properties" && !isRequired(schema, name)) continue;
      visit(property, childPointer(childPointer(pointer, "properties"), name), within);
    }
    if (typeof $ref === "string") follow($ref, childPointer(pointer, "$ref"), within);
    checked.add(schema);
  };
  const follow = (reference: string, place: string, path: readonly SchemaStep[]): void => {
    const pointer = targetOf(reference, place, refuse);
    const isFound = pointer !== undefined && (!onlyDefinitions || definitionAt(pointer) !== undefined);
    if (pointer === undefined && !onlyDefinitions) return; // an anchor
    const target = isFound ? valueAt(root, parsePointer(pointer)) : undefined;
    if (target === undefined)
      throw refuse(place, "the reference does not point to a definition in the schema");
    const start = path.findIndex(({ schema }) => schema === target);
    if (start >= 0) {
      // The first reference of the circle.
      const first = path.slice(start + 1).find(({ via }) => via !== undefined)?.via ?? place;
      throw refuse(first, cycleProblems[cycles]);
    }
    visit(target, pointer ?? "", path, place);
  };
  visit(root, "", []);
  // Schemas that no path above leads to start a new one.
  mapSchema(root, (schema, pointer) => {
    visit(schema, pointer, []);
    return schema;
  });
}

interface SchemaStep {
  readonly schema: JsonObject;
  /** The place of the reference that led to it. */
  readonly via: string | undefined;
}

const inner = ["items", "prefixItems", "anyOf", "oneOf", "allOf"] as const;

const cycleProblems = {
  none: "the schema contains itself",
  "optional properties": "a schema may contain itself only in an optional property",
} as const;

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

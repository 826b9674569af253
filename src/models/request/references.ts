import { isObject, type JsonObject, valueAt } from "../../json/value.js";
import { freeName } from "../../schema/combined.js";
import { mapSchema } from "../../schema/map-schema.js";
import { percentDecoded } from "../../text/url-credentials.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import type { Refuse } from "./request-errors.js";

/**
 * The JSON Pointer of a `$ref` into its own document, without percent-encoding. `undefined` for an anchor and for
 * another document.
 *
 * @param place the pointer of the `$ref`, for the error of `refuse`
 */
export function targetOf($ref: string, place: string, refuse: Refuse): string | undefined {
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
export function definitionAt(target: string): readonly [keyword: string, name: string] | undefined {
  const [keyword = "", name, ...more] = parsePointer(target);
  const isDefinition = (keyword === "$defs" || keyword === "definitions") && more.length === 0;
  return isDefinition && name !== undefined ? [keyword, name] : undefined;
}

/**
 * Copies every schema that a `$ref` finds elsewhere than in the definitions to `$defs`, because a conversion may change
 * or move what is at its first place.
 */
export function withDefinitions(schema: JsonObject, refuse: Refuse): JsonObject {
  const $defs: JsonObject = isObject(schema["$defs"]) ? { ...schema["$defs"] } : {};
  const names = new Map<string, string>();
  const nameOf = (target: string, place: string): string => {
    const known = names.get(target);
    if (known !== undefined) return known;
    if (!isObject(valueAt(schema, parsePointer(target)))) {
      throw refuse(place, "the reference does not point to a schema");
    }
    const name = freeName(
      parsePointer(target)
        .join("_")
        .replace(/[^\w-]/g, "_"),
      $defs,
    );
    $defs[name] = {}; // takes the name
    names.set(target, name);
    return name;
  };
  const referring = mapSchema(schema, (inner, pointer) => {
    const { $ref } = inner;
    if (typeof $ref !== "string") return inner;
    const place = childPointer(pointer, "$ref");
    const target = targetOf($ref, place, refuse);
    if (target === undefined || target === "" || definitionAt(target) !== undefined) return inner;
    return { ...inner, $ref: `#/$defs/${nameOf(target, place)}` };
  });
  if (names.size === 0) return schema;
  const own = isObject(referring["$defs"]) ? referring["$defs"] : {};
  const copies = [...names].map(([target, name]) => [name, valueAt(referring, parsePointer(target))]);
  return { ...referring, $defs: { ...own, ...(Object.fromEntries(copies) as JsonObject) } };
}

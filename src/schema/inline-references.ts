import { isObject, type JsonObject, valueAt } from "../json/value.js";
import { parsePointer } from "../tree/pointer.js";
import { draftOf } from "./interpreter/draft.js";

/**
 * Replaces references at the root of a schema, and in its `allOf`, `anyOf` and `oneOf`, with their targets. Providers
 * require the type `object` at the root of a tool.
 */
export function inlineReferences(
  schema: JsonObject,
  root: JsonObject = schema,
  seen: readonly string[] = [],
): JsonObject {
  const { $ref, ...own } = schema;
  if (typeof $ref === "string" && /^#(?:\/|$)/.test($ref) && !seen.includes($ref)) {
    const target = valueAt(root, parsePointer(decodeURIComponent($ref.slice(1))));
    if (isObject(target)) return inlineReferences(withTarget(own, target, root), root, [...seen, $ref]);
  }
  return mapChoices(schema, (choice) => inlineReferences(choice, root, seen));
}

/** The target of a reference, with the keywords beside it. Drafts before 2019-09 ignore the rules among them. */
export function withTarget(beside: JsonObject, target: JsonObject, root: JsonObject): JsonObject {
  const entries = Object.entries(beside);
  const rules = entries.filter(([keyword]) => !isNote(keyword));
  const merged = { ...target, ...Object.fromEntries(entries.filter(([keyword]) => isNote(keyword))) };
  if (rules.length === 0 || draftOf(root) < 2019) return merged;
  const { allOf } = target;
  return { ...merged, allOf: [...(Array.isArray(allOf) ? allOf : []), Object.fromEntries(rules)] };
}

/** Whether a keyword is no rule, or one that also sees the members of the target. */
function isNote(keyword: string): boolean {
  return /^(?:\$(?:schema|id|defs|comment)|definitions|title|description|examples|default|deprecated|(?:read|write)Only|stream|unevaluated.*)$/.test(
    keyword,
  );
}

/** Replaces the schemas in `allOf`, `anyOf` and `oneOf`. */
export function mapChoices(schema: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject {
  const mapped = { ...schema };
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const choice = schema[keyword];
    if (Array.isArray(choice)) mapped[keyword] = choice.map((it) => (isObject(it) ? change(it) : it));
  }
  return mapped;
}

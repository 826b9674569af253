import { isObject, type JsonObject, type JsonValue, valueAt } from "../json/value.js";
import { percentDecoded } from "../text/url-credentials.js";
import { unescapeKey } from "../tree/pointer.js";
import { SchemaError } from "./errors.js";
import { draftOf } from "./interpreter/draft.js";

/**
 * Replaces references at the root of a schema, and in its `allOf`, `anyOf` and `oneOf`, with their targets. Providers
 * require the type `object` at the root of a tool.
 *
 * @throws {SchemaError} `bad_schema` for more than 1,000 references: unions of unions that share members multiply them
 */
export function inlineReferences(root: JsonObject): JsonObject {
  let count = 0;
  const inline = (schema: JsonObject, seen: readonly string[]): JsonObject => {
    const { $ref, ...own } = schema;
    if (typeof $ref === "string" && !seen.includes($ref)) {
      const target = localTarget(root, $ref);
      if (++count > MAX_REFERENCES) throw tooManyReferences();
      if (isObject(target)) return inline(withTarget(own, target, root), [...seen, $ref]);
    }
    return mapChoices(schema, (choice) => inline(choice, seen));
  };
  return inline(root, []);
}

/** What a reference leads to, if it is a JSON Pointer from the root: `#/$defs/a`. */
export function localTarget(root: JsonObject, $ref: string): JsonValue | undefined {
  if (!/^#(?:\/|$)/.test($ref)) return undefined;
  return valueAt(root, percentDecoded($ref).split("/").slice(1).map(unescapeKey));
}

const MAX_REFERENCES = 1_000;

function tooManyReferences(): SchemaError {
  return new SchemaError(
    "bad_schema",
    `Expected at most ${MAX_REFERENCES} references in the anyOf, oneOf and allOf at the root, but unions in unions have more. Refer to each member once.`,
  );
}

/** The target of a reference, with the keywords beside it. Drafts before 2019-09 ignore the rules among them. */
export function withTarget(beside: JsonObject, target: JsonObject, root: JsonObject): JsonObject {
  const { allOf, type = beside["type"] } = target;
  const entries = Object.entries(beside);
  const isMerged = ([keyword, value]: [string, JsonValue]): boolean =>
    isNote(keyword) || (keyword === "type" && value === type);
  const rules = entries.filter((entry) => !isMerged(entry));
  const merged = { ...target, ...Object.fromEntries(entries.filter(isMerged)) };
  if (rules.length === 0 || draftOf(root) < 2019) return merged;
  return { ...merged, allOf: [...(Array.isArray(allOf) ? allOf : []), Object.fromEntries(rules)] };
}

/** Whether a keyword is no rule, or one that also sees the members of the target. */
export function isNote(keyword: string): boolean {
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

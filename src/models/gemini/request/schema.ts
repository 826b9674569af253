import { childPointer } from "../../../tree/pointer.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import { mapSchema, withoutMarks } from "../../../schema/map-schema.js";
import { isRecord, requestFields } from "../../loose.js";
import { joinAllOf } from "../../request/join-all-of.js";
import { withoutConst, withPlainEnum } from "./enum.js";
import { checkCycles } from "./check-cycles.js";
import { refuseSchema } from "./schema-refusal.js";
import { wordsIn } from "../../../text/words-in.js";

/**
 * Converts a JSON Schema for Gemini (`responseJsonSchema` in the reference of `GenerationConfig` lists the keywords).
 * `const`, `allOf`, integer bounds and `definitions` are rewritten. Keywords that only narrow a value, such as
 * `pattern` or `minLength`, move to the description and are checked at the end as always. A keyword that changes the
 * meaning of the schema is refused.
 *
 * @throws {ModelError} `invalid_request` with the JSON Pointer of the unsupported part
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  const own = withoutMarks(schema);
  checkCycles(own);
  return mapSchema(own, toGemini);
}

function toGemini(schema: JsonObject, pointer: string): JsonObject {
  for (const keyword of refused) {
    if (schema[keyword] === undefined || saysNothing(keyword, schema[keyword])) continue;
    throw refuseSchema(childPointer(pointer, keyword), `Gemini has no "${keyword}"`);
  }
  const joined = withBounds(withoutConst(joinAllOf(schema, pointer, refuseSchema)));
  const converted = withPlainEnum(joined, pointer);
  const result = requestFields({
    ...Object.fromEntries(Object.entries(converted).filter(([keyword]) => known.has(keyword))),
    $defs: definitionsOf(converted),
    prefixItems: Array.isArray(converted["items"]) ? converted["items"] : converted["prefixItems"],
    items: Array.isArray(converted["items"]) ? undefined : converted["items"],
    $ref: typeof converted["$ref"] === "string" ? referenceOf(converted["$ref"]) : undefined,
    description: describe(converted),
  });
  return besideReference(result, pointer);
}

/** The keywords that Gemini lists, except those handled above. */
const known: ReadonlySet<string> = new Set(
  wordsIn(`
  $id $anchor type format title enum minItems maxItems minimum maximum anyOf oneOf properties
  additionalProperties required propertyOrdering
`),
);

const refused: readonly string[] = wordsIn(`
  not if then else patternProperties propertyNames dependentSchemas dependentRequired dependencies
  contains additionalItems unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef
`);

/** Property names are always strings. Zod adds this keyword to each record. */
function saysNothing(keyword: string, value: JsonValue | undefined): boolean {
  if (keyword !== "propertyNames" || !isRecord(value)) return false;
  return Object.keys(value).every((key) => key === "type" && value["type"] === "string");
}

/** Rewrites exclusive integer bounds as inclusive ones. */
function withBounds(schema: JsonObject): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...others } = schema;
  if (others["type"] !== "integer") return schema;
  const { minimum = -Infinity, maximum = Infinity } = others;
  return {
    ...others,
    ...(typeof above === "number"
      ? { minimum: Math.max(minimum as number, Math.floor(above) + 1) }
      : undefined),
    ...(typeof below === "number"
      ? { maximum: Math.min(maximum as number, Math.ceil(below) - 1) }
      : undefined),
  };
}

function definitionsOf({ $defs, definitions }: JsonObject): JsonValue | undefined {
  return isRecord($defs) && isRecord(definitions) ? { ...definitions, ...$defs } : ($defs ?? definitions);
}

function referenceOf(reference: string): string {
  return reference.replace(/^#\/definitions\//, "#/$defs/");
}

/** The description of rules that Gemini does not enforce. */
function describe(schema: JsonObject): string | undefined {
  const notes = narrowing.flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [`${keyword}: ${JSON.stringify(schema[keyword])}`],
  );
  const description = typeof schema["description"] === "string" ? schema["description"] : undefined;
  const note = notes.length === 0 ? undefined : `(${notes.join(", ")})`;
  return [description, note].filter((part) => part !== undefined).join(" ") || undefined;
}

const narrowing: readonly string[] = wordsIn(`
  const pattern minLength maxLength exclusiveMinimum exclusiveMaximum multipleOf uniqueItems minProperties
  maxProperties contentEncoding contentMediaType default examples
`);

/** "If `$ref` is set on a sub-schema, no other properties, except for those starting as a `$`, may be set." */
function besideReference(schema: JsonObject, pointer: string): JsonObject {
  const { $ref, ...others } = schema;
  if ($ref === undefined || Object.keys(others).every((key) => key.startsWith("$"))) return schema;
  if (others["anyOf"] !== undefined) {
    throw refuseSchema(childPointer(pointer, "$ref"), "Gemini does not support a reference beside an anyOf");
  }
  return { ...others, anyOf: [{ $ref }] };
}

import { childPointer } from "../../tree/pointer.js";
import { sameData } from "../../json/patch/same-data.js";
import { setMember, type JsonObject, type JsonValue } from "../../json/value.js";
import { tableOf, wordSet } from "../../text/words-in.js";
import { isRecord } from "../loose.js";
import type { Refuse } from "./refuse.js";

/**
 * Merges the `allOf` of a schema into one schema, for providers without `allOf`. Properties, definitions, required
 * names and descriptions are combined, and of two limits the narrower one counts. Of a keyword that only narrows, such
 * as `pattern`, every further value goes to the description: the guard checks it. Any other keyword may appear only
 * once, or with equal values.
 *
 * @param isDescribed other keywords of which every further value goes to the description
 * @param join joins two schemas of one property. Default: in the same way
 */
export function joinAllOf(
  schema: JsonObject,
  pointer: string,
  refuse: Refuse,
  isDescribed: (keyword: string, value: JsonValue) => boolean = () => false,
  join: Join = (a, b, at) => {
    const problem = "an allOf describes this property differently from the schema that contains it";
    return joinAllOf({ allOf: [a, b] }, at, () => refuse(at, problem), isDescribed);
  },
): JsonObject {
  const { allOf, ...whole } = schema;
  if (!Array.isArray(allOf)) return schema;
  for (const [index, member] of allOf.entries()) {
    const place = childPointer(childPointer(pointer, "allOf"), index);
    if (!isRecord(member)) throw refuse(place, "a schema was expected");
    for (const [keyword, value] of Object.entries(member)) {
      const before = Object.hasOwn(whole, keyword) ? whole[keyword] : undefined;
      const at = childPointer(place, keyword);
      const both = before === undefined ? value : merged(keyword, before, value, at, join);
      if (both !== undefined) setMember(whole, keyword, both);
      else if (narrowing.has(keyword) || isDescribed(keyword, value))
        Object.assign(whole, withNote(whole, `(${noteOf(keyword, value)})`));
      else throw refuse(at, `an allOf has a different ${keyword} from the schema that contains it`);
    }
  }
  return whole;
}

type Join = (a: JsonValue, b: JsonValue, pointer: string) => JsonObject;

const narrowing = wordSet("pattern format multipleOf contentEncoding contentMediaType propertyNames");

const narrower = tableOf<(a: number, b: number) => number>({
  "minimum exclusiveMinimum minLength minItems minProperties": Math.max,
  "maximum exclusiveMaximum maxLength maxItems maxProperties": Math.min,
});

export function noteOf(keyword: string, value: JsonValue): string {
  return `${keyword}: ${JSON.stringify(value)}`;
}

export function withNote(schema: JsonObject, note: string): JsonObject {
  const { description } = schema;
  const before = typeof description === "string" && description !== "" ? `${description} ` : "";
  return { ...schema, description: before + note };
}

function common(a: readonly JsonValue[], b: readonly JsonValue[]): JsonValue[] | undefined {
  const both = a.filter((value) => b.some((other) => sameData(value, other)));
  return both.length === 0 ? undefined : both;
}

/** `integer` is a `number`. */
function commonType(a: JsonValue, b: JsonValue): JsonValue | undefined {
  const [left, right] = [[a].flat(), [b].flat()];
  const withIntegers = (types: JsonValue[], others: JsonValue[]): JsonValue[] =>
    types.flatMap((type) => (type === "number" && !others.includes(type) ? ["integer"] : [type]));
  const both = common(withIntegers(left, right), withIntegers(right, left));
  return both?.length === 1 ? both[0] : both;
}

function merged(
  keyword: string,
  a: JsonValue,
  b: JsonValue,
  pointer: string,
  join: Join,
): JsonValue | undefined {
  if (sameData(a, b) || keyword === "title") return a;
  if (keyword === "required" && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if ((keyword === "properties" || keyword === "$defs") && isRecord(a) && isRecord(b)) {
    const both = { ...a };
    for (const [name, schema] of Object.entries(b)) {
      const before = Object.hasOwn(a, name) ? a[name] : undefined;
      const isSame = before === undefined || sameData(before, schema);
      setMember(both, name, isSame ? schema : join(before, schema, childPointer(pointer, name)));
    }
    return both;
  }
  return keyword === "description" && typeof a === "string" && typeof b === "string"
    ? `${a} ${b}`
    : narrowed(keyword, a, b);
}

/** The rule for values that satisfy both rules; `undefined` if no value does, or if the keyword cannot say it. */
function narrowed(keyword: string, a: JsonValue, b: JsonValue): JsonValue | undefined {
  if (keyword === "type") return commonType(a, b);
  if (keyword === "enum" && Array.isArray(a) && Array.isArray(b)) return common(a, b);
  return typeof a === "number" && typeof b === "number" ? narrower.get(keyword)?.(a, b) : undefined;
}

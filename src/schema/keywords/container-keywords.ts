import { Kind } from "../../json/build/kinds.js";
import { isObject, type JsonArray, type JsonObject } from "../../json/value.js";
import { hasMember, wordsForKeys } from "../values.js";
import { itself, type Subject } from "./check.js";
import { type KeywordTable, namesIn, on } from "./keywords.js";

const wholeArray: Subject = { kinds: Kind.ARRAY, of: itself };
const wholeObject: Subject = { kinds: Kind.OBJECT, of: itself };

type Needs = readonly (readonly [key: string, others: readonly string[]])[];

/** For each key that needs others, those keys. */
const dependent = on<JsonObject, Needs>(wholeObject, {
  code: "no_match",
  limit(value) {
    if (!isObject(value)) return undefined;
    const needs = Object.entries(value).flatMap(([key, names]) =>
      Array.isArray(names) ? [[key, namesIn(names)] as const] : [],
    );
    return needs.length === 0 ? undefined : needs;
  },
  passes: (object, needs) => missingIn(object, needs).length === 0,
  expected: (needs, _schema, _dialect, object) => wordsForKeys(missingIn(object, needs)),
});

/** The keywords that need all of a container. The guard leaves them to the interpreter. */
export const containerKeywords: KeywordTable = {
  uniqueItems: on<JsonArray, true>(wholeArray, {
    code: "no_match",
    limit: (flag) => (flag === true ? flag : undefined),
    passes: (array, _flag, _dialect, canon) =>
      new Set(array.map((item) => canon?.numberOf(item))).size === array.length,
    expected: () => "an array without equal elements",
  }),
  dependentRequired: dependent,
  dependencies: dependent,
};

function missingIn(object: JsonObject, needs: Needs): string[] {
  return needs.flatMap(([key, names]) =>
    hasMember(object, key) ? names.filter((name) => !hasMember(object, name)) : [],
  );
}

import * as Kind from "../../json/build/kind.js";
import { isObject, type JsonArray, type JsonObject } from "../../json/value.js";
import { hasMember, wordsForKeys } from "../values.js";
import { itself, type KeywordTable, namesIn, on, type Subject } from "./keywords.js";

const wholeArray: Subject = { kinds: Kind.ARRAY, of: itself };
const wholeObject: Subject = { kinds: Kind.OBJECT, of: itself };

/** For each key that needs others, those keys. */
const dependent = on<JsonObject>("no_match", wholeObject, (value) => {
  const needs = Object.entries(isObject(value) ? value : {}).filter(([, names]) => Array.isArray(names));
  if (needs.length === 0) return undefined;
  const missingIn = (object: JsonObject): string[] =>
    needs.flatMap(([key, names]) =>
      hasMember(object, key) ? namesIn(names).filter((name) => !hasMember(object, name)) : [],
    );
  return {
    passes: (object) => missingIn(object).length === 0,
    expected: (object) => wordsForKeys(missingIn(object)),
  };
});

/** The keywords that need all of a container. The guard leaves them to the interpreter. */
export const containerKeywords: KeywordTable = {
  uniqueItems: on<JsonArray>("no_match", wholeArray, (flag) =>
    flag === true
      ? {
          passes: (array, canon) => new Set(array.map((item) => canon?.numberOf(item))).size === array.length,
          expected: () => "an array without equal elements",
        }
      : undefined,
  ),
  dependentRequired: dependent,
  dependencies: dependent,
};

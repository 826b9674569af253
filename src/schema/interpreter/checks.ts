import { Kind, kindOf } from "../../json/build/kinds.js";
import { isObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { counted } from "../../text/counts.js";
import {
  anyKind,
  codePoints,
  hasMember,
  isInteger,
  jsonExcerpt,
  keysOf,
  kindsOfType,
  shortened,
  wordsForKeys,
  wordsForOptions,
  wordsForType,
} from "../values.js";
import type { Canon } from "./canon.js";
import { keywordOf, type Draft } from "./draft.js";
import { formats } from "./formats.js";
import { patternOf } from "./pattern.js";
import type { Check } from "./schema-node.js";

/** The keywords of a schema that look at the value alone. A keyword with a value that makes no sense is ignored. */
export function checksOf(schema: JsonObject, draft: Draft): Check[] {
  return Object.entries(builders).flatMap(([keyword, build]) => {
    const value = keywordOf(schema, keyword, draft);
    const parts = value === undefined ? undefined : build(value, schema);
    return parts === undefined ? [] : [{ keyword, ...parts }];
  });
}

type Parts = Omit<Check, "keyword">;
type CreateParts = (value: JsonValue, schema: JsonObject) => Parts | undefined;

const builders: Readonly<Record<string, CreateParts>> = {
  type: (type) => {
    const kinds = kindsOfType(type);
    const integer = isInteger(type);
    return {
      kinds: anyKind,
      passes: (value) =>
        (kindOf(value) & kinds) !== 0 && !(integer && typeof value === "number" && !Number.isInteger(value)),
      expected: () => wordsForType(kinds, integer),
    };
  },
  const: (value) => oneOf([value]),
  enum: (values) => (Array.isArray(values) ? oneOf(values) : undefined),

  minimum: (limit, { exclusiveMinimum }) =>
    exclusiveMinimum === true
      ? numbers(limit, (value, min) => value > min, ">")
      : numbers(limit, (value, min) => value >= min, ">="),
  maximum: (limit, { exclusiveMaximum }) =>
    exclusiveMaximum === true
      ? numbers(limit, (value, max) => value < max, "<")
      : numbers(limit, (value, max) => value <= max, "<="),
  exclusiveMinimum: (limit) => numbers(limit, (value, min) => value > min, ">"),
  exclusiveMaximum: (limit) => numbers(limit, (value, max) => value < max, "<"),
  multipleOf: (value) => {
    const step = stepOf(value);
    if (step === undefined) return undefined;
    return on(
      Kind.NUMBER,
      (number: number) => isMultiple(number, step),
      () => `a multiple of ${step}`,
    );
  },

  minLength: (limit) => sizes(limit, aString, "at least"),
  maxLength: (limit) => sizes(limit, aString, "at most"),
  pattern: (source) => {
    if (typeof source !== "string") return undefined;
    const pattern = patternOf(source);
    return on(
      Kind.STRING,
      (text: string) => pattern.test(text),
      () => `a string that matches ${shortened(source)}`,
    );
  },
  format: (name) => {
    const isOfFormat = typeof name === "string" ? formats.get(name) : undefined;
    return isOfFormat && on(Kind.STRING, isOfFormat, () => `a string in the format ${jsonExcerpt(name)}`);
  },

  minItems: (limit) => sizes(limit, anArray, "at least"),
  maxItems: (limit) => sizes(limit, anArray, "at most"),
  uniqueItems: (flag) =>
    flag === true ? on(Kind.ARRAY, areUnique, () => "an array without equal elements") : undefined,

  minProperties: (limit) => sizes(limit, anObject, "at least"),
  maxProperties: (limit) => sizes(limit, anObject, "at most"),
  required: (names) => needs((object) => missing(object, names)),
  dependentRequired: needsDependent,
  dependencies: needsDependent,
};

/** A keyword for values of some kinds. `passes` is called only with those. */
function on(
  kinds: number,
  passes: (value: never, canon: Canon) => boolean,
  expected: (value: JsonValue) => string,
): Parts {
  return { kinds, passes, expected };
}

function oneOf(options: JsonArray): Parts {
  const scalars = new Set(options.filter((option) => typeof option !== "object" || option === null));
  const containers = options.filter((option) => typeof option === "object" && option !== null);
  return {
    kinds: anyKind,
    passes: (value, canon) => {
      if (typeof value !== "object" || value === null) return scalars.has(value);
      if (containers.length === 0) return false;
      const number = canon.numberOf(value);
      return containers.some((option) => canon.numberOf(option) === number);
    },
    expected: () => wordsForOptions(options),
  };
}

function numbers(
  limit: JsonValue,
  passes: (value: number, limit: number) => boolean,
  sign: string,
): Parts | undefined {
  if (typeof limit !== "number") return undefined;
  return on(
    Kind.NUMBER,
    (value: number) => passes(value, limit),
    () => `a number ${sign} ${limit}`,
  );
}

interface Sized {
  readonly kind: number;
  readonly words: string;
  readonly unit: string;
  readonly sizeOf: (value: never) => number;
}

const aString: Sized = { kind: Kind.STRING, words: "a string", unit: "character", sizeOf: codePoints };
const anArray: Sized = {
  kind: Kind.ARRAY,
  words: "an array",
  unit: "element",
  sizeOf: (array: JsonArray) => array.length,
};
const anObject: Sized = {
  kind: Kind.OBJECT,
  words: "an object",
  unit: "member",
  sizeOf: (object: JsonObject) => keysOf(object).length,
};

function sizes(limit: JsonValue, { kind, words, unit, sizeOf }: Sized, bound: string): Parts | undefined {
  if (typeof limit !== "number") return undefined;
  return on(
    kind,
    (value) => (bound === "at least" ? sizeOf(value) >= limit : sizeOf(value) <= limit),
    () => `${words} of ${bound} ${counted(limit, unit)}`,
  );
}

function needs(missingIn: (object: JsonObject) => readonly string[]): Parts {
  return on(
    Kind.OBJECT,
    (object: JsonObject) => missingIn(object).length === 0,
    (object) => wordsForKeys(missingIn(object as JsonObject)),
  );
}

function needsDependent(value: JsonValue): Parts | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).filter(([, names]) => Array.isArray(names));
  if (entries.length === 0) return undefined;
  return needs((object) =>
    entries.flatMap(([key, names]) => (hasMember(object, key) ? missing(object, names) : [])),
  );
}

function missing(object: JsonObject, names: JsonValue): string[] {
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === "string" && !hasMember(object, name));
}

function areUnique(array: JsonArray, canon: Canon): boolean {
  return new Set(array.map((item) => canon.numberOf(item))).size === array.length;
}

/** The value of `multipleOf`, if it makes sense. */
export function stepOf(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && value < Infinity ? value : undefined;
}

/**
 * Computes with decimal digits, because 0.3 is a multiple of 0.1 in JSON, but not in binary. `1e400` is Infinity, no
 * multiple.
 */
function isMultiple(value: number, step: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [digits, exponent] = decimal(value);
  const [stepDigits, stepExponent] = decimal(step);
  const least = Math.min(exponent, stepExponent);
  const scaled = digits * 10n ** BigInt(exponent - least);
  return scaled % (stepDigits * 10n ** BigInt(stepExponent - least)) === 0n;
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

import * as Kind from "../../json/build/kind.js";
import { kindOf } from "../../json/build/kinds.js";
import { entriesIn, type JsonObject, type JsonValue } from "../../json/value.js";
import type { KeywordDialect } from "../keywords/dialect.js";
import {
  type Check,
  checksOf,
  elementCount,
  keys,
  keywords,
  kindsIn,
  namesIn,
  optionsIn,
} from "../keywords/keywords.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import { isInteger, wordsForOptions, wordsForType } from "../values.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * The keywords of one schema object that a stream can break before the document is complete: those of a text that grows,
 * of a complete number or literal, and of the members and elements so far. The interpreter checks all others (`not`, `if`,
 * `contains`, `dependent…`, `unevaluated…`, `uniqueItems`).
 */
export interface Rules {
  /** Unique in one schema document. */
  readonly id: number;
  /** The kinds of value allowed, as flags of `Kind`. */
  readonly kinds: number;
  /** The problem of a value of another kind. */
  readonly wrongKind: Pick<Check, "code" | "expected">;
  readonly checks: readonly Check[];
  /** The checks of a complete scalar, besides its kind. */
  readonly scalars: readonly Check[];
  /** The checks of a string that grows. */
  readonly texts: readonly Check[];
  readonly arrays: readonly Check[];
  readonly objects: readonly Check[];
  /** The values of `enum` and `const`. */
  readonly options: ReadonlySet<JsonValue> | undefined;
  readonly prefixItems: readonly unknown[];
  /** The schema of the elements after those. */
  readonly items: unknown;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, unknown>;
  readonly patternProperties: readonly (readonly [(key: string) => boolean, unknown])[];
  readonly additionalProperties: unknown;
  readonly propertyNames: unknown;
  /** Withhold the value until it is complete. */
  readonly whole: boolean;
  /** A value with a format is withheld until it is complete. */
  readonly format: string | undefined;
  /** The schema itself, if it has keywords that only the interpreter checks, once the value is complete. */
  readonly interpreted: SchemaNode | undefined;
}

/** @param schema the keywords that its draft knows */
export function rulesOf(
  schema: JsonObject,
  dialect: KeywordDialect,
  id: number,
  interpreted?: SchemaNode,
): Rules {
  const { items, type, format, stream } = schema;
  const options = optionsIn(schema, dialect);
  const checks = checksOf(schema, dialect, keywords);
  const typeKinds = kindsIn(schema, dialect);
  // The interpreter also reads a list in `items` in every draft.
  const isTuple = Array.isArray(items);
  const first = isTuple ? items : schema["prefixItems"];
  return {
    id,
    kinds: options?.reduce<number>((kinds, option) => kinds | (kindOf(option) & typeKinds), 0) ?? typeKinds,
    wrongKind: {
      code: "wrong_type",
      expected: () =>
        options === undefined ? wordsForType(typeKinds, isInteger(type)) : wordsForOptions(options),
    },
    checks,
    scalars: checks.filter(({ keyword, subject }) =>
      keyword === "type" ? isInteger(type) : (subject.kinds & scalarKinds) !== 0,
    ),
    texts: checks.filter(
      ({ mayPass, subject }) => mayPass !== undefined && (subject.kinds & Kind.STRING) !== 0,
    ),
    arrays: checks.filter(({ subject }) => subject === elementCount),
    objects: checks.filter(({ subject }) => subject === keys),
    options: options && new Set(options),
    prefixItems: Array.isArray(first) ? first : [],
    items: isTuple ? schema["additionalItems"] : items,
    required: namesIn(schema["required"]),
    properties: new Map(entriesIn(schema["properties"])),
    patternProperties: entriesIn(schema["patternProperties"]).map(([source, value]) => [
      dialect.matching(source),
      value,
    ]),
    additionalProperties: schema["additionalProperties"],
    propertyNames: schema["propertyNames"],
    whole: stream === "whole",
    format: typeof format === "string" ? format : undefined,
    interpreted,
  };
}

const scalarKinds = Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL;

export function limitsIn(rules: readonly Rules[], ...names: readonly string[]): number[] {
  return rules
    .flatMap(({ checks }) => checks)
    .flatMap(({ keyword, limit }) => (limit !== undefined && names.includes(keyword) ? [limit] : []));
}

/** Whether the schema has a keyword that `rulesOf()` reads. */
export function hasRules(schema: JsonObject): boolean {
  return readKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}

const readKeywords = [
  ...Object.keys(keywords),
  ...wordsIn(`
    nullable prefixItems items properties patternProperties additionalProperties propertyNames stream
  `),
];

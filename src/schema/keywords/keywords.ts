import * as Kind from "../../json/build/kind.js";
import { kindOf } from "../../json/build/kinds.js";
import { isContainer, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { counted } from "../../text/counts.js";
import {
  anyKind,
  codePoints,
  hasMember,
  isInteger,
  jsonExcerpt,
  keysOf,
  kindsByName,
  shortened,
  wordsForKeys,
  wordsForOptions,
  wordsForType,
} from "../values.js";
import type { KeywordDialect } from "./dialect.js";

/** One keyword of one schema: a rule for a value that applies no other schema. */
export interface Check {
  readonly keyword: string;
  /** What the tests look at. The rule holds for values of other kinds. */
  readonly subject: Subject;
  readonly code: ProblemCode;
  readonly limit: number | undefined;
  passes(subject: unknown, canon?: Equality): boolean;
  /**
   * Whether a value that has come so far may still pass. Without it, any beginning may.
   *
   * @param size the number of code points, elements or members so far, with the one that begins
   * @param text the string so far
   */
  readonly mayPass: ((size: number, text: string) => boolean) | undefined;
  /** The values that pass, in words. */
  expected(subject: unknown): string;
}

/** The codes of a `SchemaViolation` that a keyword leads to. */
export type ProblemCode =
  | "wrong_type"
  | "not_in_enum"
  | "too_long"
  | "too_short"
  | "out_of_range"
  | "not_a_multiple"
  | "no_match"
  | "missing_key";

/** Numbers values: equal ones have the same number. */
export interface Equality {
  numberOf(value: JsonValue): number;
}

/** What a keyword looks at. */
export interface Subject {
  /** The kinds of value that the keyword applies to, as flags of `Kind`. */
  readonly kinds: number;
  of(value: JsonValue): unknown;
}

/** The keys of an object, of which all or a part are known. */
export interface Keys {
  has(key: string): boolean;
  readonly size: number;
}

export const itself = (value: JsonValue): JsonValue => value;

export const anyValue: Subject = { kinds: anyKind, of: itself };
const aString: Subject = { kinds: Kind.STRING, of: itself };
const aNumber: Subject = { kinds: Kind.NUMBER, of: itself };
export const elementCount: Subject = { kinds: Kind.ARRAY, of: (array) => (array as JsonArray).length };
export const keys: Subject = {
  kinds: Kind.OBJECT,
  of: (object): Keys => ({
    has: (key) => hasMember(object as JsonObject, key),
    get size() {
      return keysOf(object as JsonObject).length;
    },
  }),
};

export type KeywordTable = Readonly<Record<string, CreateCheck>>;

type CreateCheck = (
  keyword: string,
  value: JsonValue,
  schema: JsonObject,
  dialect: KeywordDialect,
) => Check | undefined;

/** Reads the value of a keyword as a rule. `undefined` if it makes no sense: the keyword is ignored. */
type ReadKeyword<Seen> = (
  value: JsonValue,
  schema: JsonObject,
  dialect: KeywordDialect,
) => ReadRule<Seen> | undefined;

interface ReadRule<Seen> extends Partial<Pick<Check, "limit" | "mayPass">> {
  readonly passes: (seen: Seen, canon?: Equality) => boolean;
  readonly expected: (seen: Seen) => string;
}

const signs = {
  ">=": (value: number, limit: number) => value >= limit,
  "<=": (value: number, limit: number) => value <= limit,
  ">": (value: number, limit: number) => value > limit,
  "<": (value: number, limit: number) => value < limit,
} as const;

/**
 * The keywords that apply no other schema, each once. The guard follows this table while a document arrives, the
 * interpreter when a value is complete. Problems are reported in the order of the rows. `container-keywords.ts` has the
 * rows of those that need all of a container.
 */
export const keywords: KeywordTable = {
  // Any value. The kind of a value that begins is tested before.
  type: on<JsonValue>("wrong_type", anyValue, (type, schema, dialect) => {
    const kinds = kindsIn(schema, dialect);
    const integer = isInteger(type);
    return {
      passes: (value) =>
        (kindOf(value) & kinds) !== 0 &&
        (typeof value !== "number" || (integer ? Number.isInteger(value) : Number.isFinite(value))),
      expected: () => wordsForType(kinds, integer),
    };
  }),
  const: options((value) => [value]),
  enum: options((values) => (Array.isArray(values) ? values : undefined)),

  // Numbers. They are checked when they are complete: `12` may become `120`, and `130` may become `130e-1`.
  minimum: bound(">=", "exclusiveMinimum"),
  maximum: bound("<=", "exclusiveMaximum"),
  exclusiveMinimum: bound(">", "minimum"),
  exclusiveMaximum: bound("<", "maximum"),
  multipleOf: on<number>("not_a_multiple", aNumber, (step, _schema, { isMultiple }) =>
    typeof step === "number" && step > 0 && step < Infinity
      ? { limit: step, passes: (value) => isMultiple(value, step), expected: () => `a multiple of ${step}` }
      : undefined,
  ),

  // Strings
  minLength: size("too_short", aString, "a string", "character", (text: string, least, { isLongEnough }) =>
    isLongEnough(text, least),
  ),
  maxLength: size(
    "too_long",
    aString,
    "a string",
    "character",
    (text: string, most) => text.length <= most || codePoints(text) <= most,
  ),
  pattern: on<string>("no_match", aString, (source, { format }, { matching, formats }) =>
    typeof source === "string"
      ? {
          passes: matching(source),
          expected: () =>
            formats === undefined && typeof format === "string"
              ? wordsForFormat(format)
              : `a string that matches ${shortened(source)}`,
        }
      : undefined,
  ),
  format: on<string>("no_match", aString, (name, _schema, { formats }) => {
    const test = typeof name === "string" ? formats?.get(name) : undefined;
    return test && { passes: (text) => test(text), expected: () => wordsForFormat(name as string) };
  }),

  // Arrays
  minItems: size("too_short", elementCount, "an array", "element", (count: number, least) => count >= least),
  maxItems: size("too_long", elementCount, "an array", "element", (count: number, most) => count <= most),

  // Objects
  required: on<Keys>("missing_key", keys, (value) => {
    const names = namesIn(value);
    return {
      passes: (present) => names.every((name) => present.has(name)),
      expected: (present) => wordsForKeys(names.filter((name) => !present.has(name))),
    };
  }),
  minProperties: size(
    "too_short",
    keys,
    "an object",
    "member",
    (present: Keys, least) => present.size >= least,
  ),
  maxProperties: size("too_long", keys, "an object", "member", (present: Keys, most) => present.size <= most),
};

/** The checks of a schema, given the keywords that its draft knows. */
export function checksOf(schema: JsonObject, dialect: KeywordDialect, table: KeywordTable): Check[] {
  return Object.entries(table).flatMap(([keyword, create]) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return (value === undefined ? undefined : create(keyword, value, schema, dialect)) ?? [];
  });
}

export function on<Seen>(code: ProblemCode, subject: Subject, read: ReadKeyword<Seen>): CreateCheck {
  return (keyword, value, schema, dialect) => {
    const rule = read(value, schema, dialect);
    if (rule === undefined) return undefined;
    const { limit, passes, mayPass, expected } = rule as ReadRule<unknown>;
    return { keyword, subject, code, limit, passes, mayPass, expected };
  };
}

/** A bound on the number of characters, elements or members. */
function size(
  code: "too_short" | "too_long",
  subject: Subject,
  what: string,
  part: string,
  passes: (seen: never, limit: number, dialect: KeywordDialect) => boolean,
): CreateCheck {
  return on<never>(code, subject, (limit, _schema, dialect) => {
    if (typeof limit !== "number") return undefined;
    const isUpper = code === "too_long";
    return {
      limit,
      passes: (seen) => passes(seen, limit, dialect),
      mayPass: isUpper ? (count) => count <= limit : undefined,
      expected: () => `${what} of at ${isUpper ? "most" : "least"} ${counted(limit, part)}`,
    };
  });
}

export function kindsIn({ type, nullable }: JsonObject, { hasNullable }: KeywordDialect): number {
  const kinds = [type].flat().reduce<number>((all, name) => all | (kindsByName.get(name) ?? anyKind), 0);
  return kinds | (hasNullable && nullable === true ? Kind.NULL : 0);
}

/** The values that `enum` and `const` allow. Containers are compared when they are complete. */
export function optionsIn(schema: JsonObject, dialect: KeywordDialect): readonly JsonValue[] | undefined {
  const { enum: listed, const: only } = schema;
  let found = Array.isArray(listed) ? listed : undefined;
  if (only !== undefined) {
    found = found === undefined || isContainer(only) ? [only] : found.filter((option) => option === only);
  }
  return found && orNull(found, schema, dialect);
}

function options(read: (value: JsonValue) => readonly JsonValue[] | undefined): CreateCheck {
  return on<JsonValue>("not_in_enum", anyValue, (value, schema, dialect) => {
    const listed = read(value);
    if (listed === undefined) return undefined;
    const all = orNull(listed, schema, dialect);
    const scalars = new Set(all.filter((option) => !isContainer(option)));
    const containers = all.filter(isContainer);
    const mayBegin = beginningOf(all);
    return {
      passes(found, canon) {
        if (!isContainer(found)) return scalars.has(found);
        const number = containers.length === 0 ? undefined : canon?.numberOf(found);
        return containers.some((option) => canon?.numberOf(option) === number);
      },
      mayPass: (_size, text) => mayBegin(text),
      expected: () => wordsForOptions(all),
    };
  });
}

function orNull(
  listed: readonly JsonValue[],
  { nullable }: JsonObject,
  { hasNullable }: KeywordDialect,
): readonly JsonValue[] {
  return hasNullable && nullable === true ? [...listed, null] : listed;
}

/** Returns whether one of the options begins with a text. The options are sorted at the first question. */
function beginningOf(options: readonly JsonValue[]): (text: string) => boolean {
  let sorted: readonly string[] | undefined;
  let longest = 0;
  return (text) => {
    if (sorted === undefined) {
      sorted = options.filter((option) => typeof option === "string").sort();
      longest = sorted.reduce((most, { length }) => Math.max(most, length), 0);
    }
    // A text that grows is joined from its parts each time that it is compared.
    if (text.length > longest) return false;
    // The first option that does not come before the text.
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] as string) < text) from = middle + 1;
      else to = middle;
    }
    return sorted[from]?.startsWith(text) === true;
  };
}

/** In draft 4, `exclusiveMinimum: true` makes the `minimum` exclusive. */
function bound(sign: keyof typeof signs, counterpart: string): CreateCheck {
  return on<number>("out_of_range", aNumber, (value, schema) => {
    const limit = boundOf(value, sign, schema[counterpart]);
    if (limit === undefined) return undefined;
    const test = signs[sign];
    return { limit, passes: (number) => test(number, limit), expected: () => wordsForRange(schema) };
  });
}

function boundOf(
  value: JsonValue | undefined,
  sign: string,
  counterpart: JsonValue | undefined,
): number | undefined {
  const limit = sign.length === 1 && value === true ? counterpart : value;
  return typeof limit === "number" && !(sign.length === 2 && counterpart === true) ? limit : undefined;
}

/** All bounds of the schema, because a model that is told one of them may break the other. */
function wordsForRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): string {
  const bounds = (
    [
      [">=", boundOf(minimum, ">=", exclusiveMinimum)],
      [">", boundOf(exclusiveMinimum, ">", minimum)],
      ["<=", boundOf(maximum, "<=", exclusiveMaximum)],
      ["<", boundOf(exclusiveMaximum, "<", maximum)],
    ] as const
  ).filter(([, limit]) => limit !== undefined);
  // Zod writes the bounds of safe integers for every integer: mention them only if there are no others.
  const own = bounds.filter(([, limit]) => Math.abs(limit as number) < Number.MAX_SAFE_INTEGER);
  const words = (own.length > 0 ? own : bounds).map(([sign, limit]) => `${sign} ${limit}`);
  return `a number ${words.join(" and ")}`;
}

function wordsForFormat(name: string): string {
  return `a string in the format ${jsonExcerpt(name)}`;
}

export function namesIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

import { Kind, kindOf } from "../../json/build/kinds.js";
import { isContainer, type JsonObject, type JsonValue } from "../../json/value.js";
import { counted } from "../../text/counts.js";
import {
  codePoints,
  isInteger,
  jsonExcerpt,
  kindsOfType,
  shortened,
  wordsForKeys,
  wordsForOptions,
  wordsForType,
} from "../values.js";
import {
  aNumber,
  anyValue,
  aString,
  elementCount,
  keys,
  type Check,
  type Equality,
  type Keys,
  type ProblemCode,
  type Subject,
} from "./check.js";
import type { KeywordDialect } from "./dialect.js";

/** A row of the table. `Seen` is what its subject shows, `Limit` what the keyword's value says. */
interface KeywordRow<Seen, Limit> {
  readonly code: ProblemCode;
  /** Reads the value of the keyword. `undefined` if it makes no sense: the keyword is ignored. */
  readonly limit: (value: JsonValue, schema: JsonObject, dialect: KeywordDialect) => Limit | undefined;
  readonly passes: (seen: Seen, limit: Limit, dialect: KeywordDialect, canon?: Equality) => boolean;
  readonly mayPass?: (size: number, limit: Limit, text: string) => boolean;
  readonly expected: (limit: Limit, schema: JsonObject, dialect: KeywordDialect, seen: Seen) => string;
}

export type KeywordTable = Readonly<Record<string, CreateCheck>>;

type CreateCheck = (
  keyword: string,
  value: JsonValue,
  schema: JsonObject,
  dialect: KeywordDialect,
) => Check | undefined;

/** The tests of the bounds of a number. */
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
  type: on<JsonValue, TypeLimit>(anyValue, {
    code: "wrong_type",
    limit: (type, schema, dialect) => ({ kinds: kindsIn(schema, dialect), integer: isInteger(type) }),
    passes: (value, { kinds, integer }) =>
      (kindOf(value) & kinds) !== 0 && !(integer && typeof value === "number" && !Number.isInteger(value)),
    expected: ({ kinds, integer }) => wordsForType(kinds, integer),
  }),
  const: options((value) => [value]),
  enum: options((values) => (Array.isArray(values) ? values : undefined)),

  // Numbers. They are checked when they are complete: `12` may become `120`, and `130` may become `130e-1`.
  minimum: bound(">=", "exclusiveMinimum"),
  maximum: bound("<=", "exclusiveMaximum"),
  exclusiveMinimum: bound(">", "minimum"),
  exclusiveMaximum: bound("<", "maximum"),
  multipleOf: on<number, number>(aNumber, {
    code: "not_a_multiple",
    limit: (step) => (typeof step === "number" && step > 0 && step < Infinity ? step : undefined),
    passes: (value, step, { isMultiple }) => isMultiple(value, step),
    expected: (step) => `a multiple of ${step}`,
  }),

  // Strings
  minLength: on<string, number>(aString, {
    code: "too_short",
    limit: numberIn,
    passes: (text, least, { isLongEnough }) => isLongEnough(text, least),
    expected: (least) => `a string of at least ${counted(least, "character")}`,
  }),
  maxLength: on<string, number>(aString, {
    code: "too_long",
    limit: numberIn,
    passes: (text, most) => text.length <= most || codePoints(text) <= most,
    mayPass: (size, most) => size <= most,
    expected: (most) => `a string of at most ${counted(most, "character")}`,
  }),
  pattern: on<string, PatternLimit>(aString, {
    code: "no_match",
    limit: (source, _schema, { matching }) =>
      typeof source === "string" ? { source, test: matching(source) } : undefined,
    passes: (text, { test }) => test(text),
    expected: ({ source }, { format }, { formats }) =>
      formats === undefined && typeof format === "string"
        ? wordsForFormat(format)
        : `a string that matches ${shortened(source)}`,
  }),
  format: on<string, FormatLimit>(aString, {
    code: "no_match",
    limit(name, _schema, { formats }) {
      const test = typeof name === "string" ? formats?.get(name) : undefined;
      return test && { name: name as string, test };
    },
    passes: (text, { test }) => test(text),
    expected: ({ name }) => wordsForFormat(name),
  }),

  // Arrays
  minItems: on<number, number>(elementCount, {
    code: "too_short",
    limit: numberIn,
    passes: (count, least) => count >= least,
    expected: (least) => `an array of at least ${counted(least, "element")}`,
  }),
  maxItems: on<number, number>(elementCount, {
    code: "too_long",
    limit: numberIn,
    passes: (count, most) => count <= most,
    mayPass: (count, most) => count <= most,
    expected: (most) => `an array of at most ${counted(most, "element")}`,
  }),

  // Objects
  required: on<Keys, readonly string[]>(keys, {
    code: "missing_key",
    limit: namesIn,
    passes: (present, names) => names.every((name) => present.has(name)),
    expected: (names, _schema, _dialect, present) => wordsForKeys(names.filter((name) => !present.has(name))),
  }),
  minProperties: on<Keys, number>(keys, {
    code: "too_short",
    limit: numberIn,
    passes: ({ size }, least) => size >= least,
    expected: (least) => `an object of at least ${counted(least, "member")}`,
  }),
  maxProperties: on<Keys, number>(keys, {
    code: "too_long",
    limit: numberIn,
    passes: ({ size }, most) => size <= most,
    mayPass: (size, most) => size <= most,
    expected: (most) => `an object of at most ${counted(most, "member")}`,
  }),
};

/** The checks of a schema, given the keywords that its draft knows. */
export function checksOf(schema: JsonObject, dialect: KeywordDialect, table: KeywordTable): Check[] {
  return Object.entries(table).flatMap(([keyword, create]) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return (value === undefined ? undefined : create(keyword, value, schema, dialect)) ?? [];
  });
}

export function on<Seen, Limit>(subject: Subject, row: KeywordRow<Seen, Limit>): CreateCheck {
  return (keyword, value, schema, dialect) => {
    const limit = row.limit(value, schema, dialect);
    if (limit === undefined) return undefined;
    const { mayPass } = row;
    return {
      keyword,
      subject,
      code: row.code,
      limit: typeof limit === "number" ? limit : undefined,
      passes: (seen, canon) => row.passes(seen as Seen, limit, dialect, canon),
      mayPass: mayPass && ((size, text) => mayPass(size, limit, text)),
      expected: (seen) => row.expected(limit, schema, dialect, seen as Seen),
    };
  };
}

/** The kinds of value that the `type` of a schema allows. */
export function kindsIn({ type, nullable }: JsonObject, { hasNullable }: KeywordDialect): number {
  return kindsOfType(type) | (hasNullable && nullable === true ? Kind.NULL : 0);
}

/** The values that `enum` and `const` allow. Containers are compared when they are complete. */
export function optionsIn(
  schema: JsonObject,
  { hasNullable }: KeywordDialect,
): readonly JsonValue[] | undefined {
  const { enum: listed, const: only, nullable } = schema;
  let found = Array.isArray(listed) ? listed : undefined;
  if (only !== undefined) {
    found = found === undefined || isContainer(only) ? [only] : found.filter((option) => option === only);
  }
  return found !== undefined && hasNullable && nullable === true ? [...found, null] : found;
}

interface TypeLimit {
  readonly kinds: number;
  readonly integer: boolean;
}

interface PatternLimit {
  readonly source: string;
  readonly test: (text: string) => boolean;
}

interface FormatLimit {
  readonly name: string;
  readonly test: (text: string) => boolean;
}

interface Options {
  readonly all: readonly JsonValue[];
  readonly scalars: ReadonlySet<JsonValue>;
  readonly containers: readonly JsonValue[];
  /** Whether one of them begins with a text. */
  readonly mayBegin: (text: string) => boolean;
}

function options(read: (value: JsonValue) => readonly JsonValue[] | undefined): CreateCheck {
  return on<JsonValue, Options>(anyValue, {
    code: "not_in_enum",
    limit(value, { nullable }, { hasNullable }) {
      const listed = read(value);
      if (listed === undefined) return undefined;
      const all = hasNullable && nullable === true ? [...listed, null] : listed;
      const scalars = new Set(all.filter((option) => !isContainer(option)));
      return { all, scalars, containers: all.filter(isContainer), mayBegin: beginningOf(all) };
    },
    passes(value, { scalars, containers }, _dialect, canon) {
      if (!isContainer(value)) return scalars.has(value);
      const number = containers.length === 0 ? undefined : canon?.numberOf(value);
      return containers.some((option) => canon?.numberOf(option) === number);
    },
    mayPass: (_size, { mayBegin }, text) => mayBegin(text),
    expected: ({ all }) => wordsForOptions(all),
  });
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
  return on<number, number>(aNumber, {
    code: "out_of_range",
    limit: (value, schema) => boundOf(value, sign, schema[counterpart]),
    passes: signs[sign],
    expected: (_limit, schema) => wordsForRange(schema),
  });
}

function boundOf(
  value: JsonValue | undefined,
  sign: string,
  counterpart: JsonValue | undefined,
): number | undefined {
  if (sign.length === 1 && value === true) return numberIn(counterpart);
  return sign.length === 2 && counterpart === true ? undefined : numberIn(value);
}

function boundsOf(schema: JsonObject): (readonly [sign: string, bound: number])[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds = [
    [">=", boundOf(minimum, ">=", exclusiveMinimum)],
    [">", boundOf(exclusiveMinimum, ">", minimum)],
    ["<=", boundOf(maximum, "<=", exclusiveMaximum)],
    ["<", boundOf(exclusiveMaximum, "<", maximum)],
  ] as const;
  return bounds.filter((each): each is typeof each & readonly [string, number] => each[1] !== undefined);
}

/** All bounds of the schema, because a model that is told one of them may break the other. */
function wordsForRange(schema: JsonObject): string {
  const bounds = boundsOf(schema);
  // Zod writes the bounds of safe integers for every integer: mention them only if there are no others.
  const own = bounds.filter(([, limit]) => Math.abs(limit) < Number.MAX_SAFE_INTEGER);
  const words = (own.length > 0 ? own : bounds).map(([sign, limit]) => `${sign} ${limit}`);
  return `a number ${words.join(" and ")}`;
}

function numberIn(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function wordsForFormat(name: string): string {
  return `a string in the format ${jsonExcerpt(name)}`;
}

export function namesIn(value: JsonValue): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

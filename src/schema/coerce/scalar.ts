import type { JsonCoercionKind } from "../../json/coercion.js";
import { Kind } from "../../json/build/kinds.js";
import type { JsonValue } from "../../json/value.js";
import type { Alternative } from "../guard/alternative.js";
import { problemOfScalar } from "../guard/problems.js";
import { limitsIn } from "../guard/rules.js";
import { foldWords } from "./fold.js";
import { toDate, toDateTime } from "./to-date.js";
import { separatorsOf, toNumber, type Separators } from "./to-number.js";
import { mayNameOption, toOption } from "./to-option.js";
import { lazyPattern } from "../../text/lazy-pattern.js";
import { withPlainDigits } from "../../text/around/plain-digits.js";

/** A scalar, and what it was made by. */
export interface ConvertedScalar {
  readonly kind: JsonCoercionKind;
  readonly value: JsonValue;
}

/** Reads strings, and numbers for options and booleans, as an alternative of a schema expects them. */
export class ScalarReader {
  private readonly separators: Separators | undefined;

  constructor(locale: string | undefined) {
    this.separators = locale === undefined ? undefined : separatorsOf(locale);
  }

  /** `undefined` if the scalar means no value that the alternative allows. */
  read(alternative: Alternative, scalar: string | number | boolean | null): ConvertedScalar | undefined {
    if (typeof scalar !== "string" && typeof scalar !== "number") return undefined;
    const found = this.convert(alternative, String(scalar), typeof scalar === "string");
    const value = found?.value as string | number | boolean | null | undefined;
    return value === undefined || problemOfScalar(alternative, value) !== undefined ? undefined : found;
  }

  private convert(alternative: Alternative, text: string, isText: boolean): ConvertedScalar | undefined {
    const { kinds } = alternative;
    const options = optionsOf(alternative);
    if (options !== undefined) {
      const option = converted("option", toOption(text, options));
      return (
        option ?? (isText && options.some(isBoolean) ? converted("boolean", toBoolean(text)) : undefined)
      );
    }
    if (!isText) return converted("boolean", /^[01]$/.test(text) ? text === "1" : undefined);
    if ((kinds & Kind.STRING) !== 0) return this.dateOf(alternative, text);
    if ((kinds & Kind.NUMBER) !== 0) {
      const value = this.numberOf(alternative, text);
      if (value !== undefined) return { kind: "number", value };
    }
    if ((kinds & Kind.NULL) !== 0 && nulls.test(text)) return { kind: "null", value: null };
    return (kinds & (Kind.TRUE | Kind.FALSE)) === 0 ? undefined : converted("boolean", toBoolean(text));
  }

  private dateOf(alternative: Alternative, text: string): ConvertedScalar | undefined {
    const format = formatOf(alternative);
    if (dates.has(format)) return converted("date", toDate(text));
    return moments.has(format) ? converted("date", toDateTime(text)) : undefined;
  }

  private numberOf({ rules }: Alternative, text: string): number | undefined {
    const isRatio = limitsIn(rules, "maximum", "exclusiveMaximum").some((limit) => limit <= 1);
    return toNumber(text, this.separators, isRatio);
  }
}

/** Whether a string that begins with this text may still be read as another value that the alternative allows. */
export function mayBecomeScalar(alternative: Alternative, text: string, checked: number): boolean {
  const { kinds } = alternative;
  const options = optionsOf(alternative);
  if (options !== undefined) {
    return (
      mayNameOption(text, options, checked) ||
      (text.length <= 20 && options.some(isBoolean) && beginsWord(text))
    );
  }
  if ((kinds & Kind.STRING) !== 0) {
    const format = formatOf(alternative);
    return text.length <= 60 && (dates.has(format) || moments.has(format));
  }
  if ((kinds & Kind.NUMBER) !== 0 && text.length <= 100 && beginsNumber(text)) return true;
  if ((kinds & Kind.NULL) !== 0 && beginOfNull.test(text)) return true;
  return (kinds & (Kind.TRUE | Kind.FALSE)) !== 0 && text.length <= 20 && beginsWord(text);
}

function beginsNumber(text: string): boolean {
  return beginOfNumber().test(withPlainDigits(text).trimStart());
}

const beginOfNumber = lazyPattern(
  String.raw`^[+\-\u2212]?[A-Z]{0,3}\p{Sc}?\s?[+\-\u2212]?[\d.,'\u2019_\s/\u2044\p{No}]*(?:[eE][+-]?\d*)?\s?(?:%|[A-Z]{0,3}\p{Sc}?)\s*$`,
);

function beginsWord(text: string): boolean {
  const begin = foldWords(text);
  return [...booleans.keys()].some((word) => word.startsWith(begin));
}

function isBoolean(value: JsonValue): boolean {
  return typeof value === "boolean";
}

/** The kinds of values, besides those that it allows, that can be read as scalars of the alternative. */
export function kindsOfSources(alternative: Alternative): number {
  const { kinds } = alternative;
  if (optionsOf(alternative) !== undefined) return Kind.STRING | Kind.NUMBER;
  if ((kinds & (Kind.TRUE | Kind.FALSE)) !== 0) return Kind.STRING | Kind.NUMBER;
  return (kinds & (Kind.NUMBER | Kind.NULL)) !== 0 ? Kind.STRING : 0;
}

const optionsByAlternative = new WeakMap<Alternative, readonly JsonValue[] | undefined>();

/** The values of `enum` and `const` that all rules allow. */
function optionsOf(alternative: Alternative): readonly JsonValue[] | undefined {
  if (optionsByAlternative.has(alternative)) return optionsByAlternative.get(alternative);
  const named = alternative.rules.find(({ options }) => options !== undefined)?.options;
  const options =
    named &&
    [...named].filter(
      (option) =>
        (typeof option !== "object" || option === null) && problemOfScalar(alternative, option) === undefined,
    );
  optionsByAlternative.set(alternative, options);
  return options;
}

function formatOf({ rules }: Alternative): string {
  return rules.find(({ format }) => format !== undefined)?.format ?? "";
}

/** The names of the formats in JSON Schema, Zod and Valibot. */
const dates: ReadonlySet<string> = new Set(["date", "iso_date"]);
const moments: ReadonlySet<string> = new Set(["date-time", "datetime", "iso_timestamp"]);

function converted(kind: JsonCoercionKind, value: JsonValue | undefined): ConvertedScalar | undefined {
  return value === undefined ? undefined : { kind, value };
}

/** The texts that mean `null`, and the start of one. */
const nulls = /^(?:null|none)$/i;
const beginOfNull = /^(?:n(?:u(?:ll?)?|o(?:ne?)?)?)?$/i;

/** The boolean that a text means: `true`, `false`, `yes` and `no`, in any case. */
function toBoolean(text: string): boolean | undefined {
  return text.length > maxBooleanLength ? undefined : booleans.get(foldWords(text));
}

const maxBooleanLength = 20;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["TRUE", true],
  ["YES", true],
  ["FALSE", false],
  ["NO", false],
]);

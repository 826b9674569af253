import type { JsonCoercionKind } from "../../json/coercion.js";
import * as Kind from "../../json/build/kind.js";
import { kindOf } from "../../json/build/kinds.js";
import { isContainer, type JsonValue } from "../../json/value.js";
import type { Alternative } from "../guard/alternative.js";
import { problemOfScalar, type Scalar } from "../guard/problems.js";
import { limitsIn } from "../guard/rules.js";
import { foldWords } from "./fold.js";
import { toDate, toDateTime } from "./to-date.js";
import { separatorsOf, toNumber, type Separators } from "./to-number.js";
import { mayNameOption, toOption } from "./to-option.js";
import { lazyPattern } from "../../text/lazy-pattern.js";
import { madeOnce } from "../../tree/made-once.js";
import { tableOf } from "../../text/words-in.js";
import { withPlainDigits } from "../../text/around/plain-digits.js";

/** A scalar, and what it was made by. */
export interface ConvertedScalar {
  readonly kind: JsonCoercionKind;
  readonly value: JsonValue;
}

export type ConvertScalar = (alternative: Alternative, scalar: Scalar) => ConvertedScalar | undefined;

/** Reads strings, and numbers for options and booleans, as an alternative of a schema expects them. */
export function scalarReader(locale: string | undefined): ConvertScalar {
  const separators = locale === undefined ? undefined : separatorsOf(locale);
  return (alternative, scalar) => {
    // Its digits may not be those of the text.
    if (typeof scalar === "number" && !Number.isSafeInteger(Math.trunc(scalar))) return undefined;
    const source = kindOf(scalar);
    for (const { kind, from, read } of conversionsOf(alternative)) {
      const value = (from & source) === 0 ? undefined : read(String(scalar), separators);
      if (value === undefined) continue;
      return problemOfScalar(alternative, value) === undefined ? { kind, value } : undefined;
    }
    return undefined;
  };
}

/** Whether a string that begins with this text may still be read as another value that the alternative allows. */
export function mayBecomeScalar(alternative: Alternative, text: string, checked: number): boolean {
  return conversionsOf(alternative).some(({ mayBegin }) => mayBegin?.(text, checked) === true);
}

/** The kinds of values that can be read as scalars of the alternative. */
export function kindsOfSources(alternative: Alternative): number {
  return conversionsOf(alternative).reduce((kinds, { from }) => kinds | from, 0);
}

/** How a scalar is read as another one. */
interface Conversion {
  readonly kind: JsonCoercionKind;
  /** The kinds of the scalars that it reads. */
  readonly from: number;
  /** `undefined` if the text means no such value. */
  readonly read: (text: string, separators: Separators | undefined) => Scalar | undefined;
  /** Whether a string that begins with this text may be read. Without it, no string may. */
  readonly mayBegin?: (text: string, checked: number) => boolean;
}

/** The conversions that an alternative asks for. The first that reads a scalar decides. */
const conversionsOf = madeOnce((alternative: Alternative): readonly Conversion[] => {
  const { rules, kinds } = alternative;
  const named = rules.find(({ options }) => options !== undefined)?.options;
  if (named !== undefined) {
    const options = [...named].filter(
      (it): it is Scalar => !isContainer(it) && problemOfScalar(alternative, it) === undefined,
    );
    const option: Conversion = {
      kind: "option",
      from: Kind.STRING | Kind.NUMBER,
      read: (text) => toOption(text, options),
      mayBegin: (text, checked) => mayNameOption(text, options, checked),
    };
    return options.some((it) => typeof it === "boolean") ? [option, booleanWord] : [option];
  }
  const isBoolean = (kinds & (Kind.TRUE | Kind.FALSE)) !== 0;
  const found = isBoolean ? [bit] : [];
  if ((kinds & Kind.STRING) !== 0) {
    const format = dates.get(rules.find((each) => each.format !== undefined)?.format ?? "");
    return format === undefined ? found : [...found, format];
  }
  if ((kinds & Kind.NUMBER) !== 0) {
    const isRatio = limitsIn(rules, "maximum", "exclusiveMaximum").some((limit) => limit <= 1);
    found.push({
      kind: "number",
      from: Kind.STRING,
      read: (text, separators) => toNumber(text, separators, isRatio),
      mayBegin: (text) => text.length <= 100 && beginOfNumber().test(withPlainDigits(text).trimStart()),
    });
  }
  if ((kinds & Kind.NULL) !== 0) found.push(nullWord);
  return isBoolean ? [...found, booleanWord] : found;
});

const beginOfNumber = lazyPattern(
  String.raw`^[+\-\u2212]?[A-Z]{0,3}\p{Sc}?\s?[+\-\u2212]?[\d.,'\u2019_\s/\u2044\p{No}]*(?:[eE][+-]?\d*)?\s?(?:%|[A-Z]{0,3}\p{Sc}?)\s*$`,
);

/** The texts that mean `null`. */
const nullWord: Conversion = {
  kind: "null",
  from: Kind.STRING,
  read: (text) => (/^(?:null|none)$/i.test(text) ? null : undefined),
  mayBegin: (text) => /^(?:n(?:u(?:ll?)?|o(?:ne?)?)?)?$/i.test(text),
};

/** `true`, `false`, `yes` and `no`, in any case. */
const booleanWord: Conversion = {
  kind: "boolean",
  from: Kind.STRING,
  read(text) {
    const index = text.length > 20 ? -1 : words.indexOf(foldWords(text));
    return index < 0 ? undefined : index < 2;
  },
  mayBegin(text) {
    if (text.length > 20) return false;
    const begin = foldWords(text);
    return words.some((word) => word.startsWith(begin));
  },
};

const words = ["TRUE", "YES", "FALSE", "NO"];

/** 0 and 1. */
const bit: Conversion = {
  kind: "boolean",
  from: Kind.NUMBER,
  read: (text) => (/^[01]$/.test(text) ? text === "1" : undefined),
};

const mayBeginDate = (text: string): boolean => text.length <= 60;
const date: Conversion = { kind: "date", from: Kind.STRING, read: toDate, mayBegin: mayBeginDate };
const moment: Conversion = { ...date, read: toDateTime };

/** By the names of the formats in JSON Schema, Zod and Valibot. */
const dates = tableOf({ "date iso_date": date, "date-time datetime iso_timestamp": moment });

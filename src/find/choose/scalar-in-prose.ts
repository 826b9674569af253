import type { Extractor } from "../extract/extractor.js";
import type { Found } from "../../json/extraction.js";
import { jsonOf } from "../extract/simple-value.js";
import { isLenient, type JsonParserOptions } from "../../json/options.js";
import type { JsonValue } from "../../json/value.js";
import { DocumentTrial } from "./document-trial.js";
import { lazyPattern } from "../../text/lazy-pattern.js";

/**
 * Finds the scalar that the guard expects in a text without a document: for a number the 42 of `The answer is 42.` The
 * text must contain one such value only, at its end or start, and no word that denies or qualifies it.
 */
export function scalarInProse(extractor: Extractor, options: JsonParserOptions): Found | undefined {
  const text = extractor.proseSoFar;
  if (options.guard === undefined || !isLenient(options) || text.length > maxLength || extractor.refuses)
    return undefined;
  const whole = text.trim();
  // If any text is valid, no part of it is certain to be the value.
  if (readBy(options, JSON.stringify(`${whole} ?`)) === `${whole} ?`) return undefined;
  if (whole !== "" && readBy(options, JSON.stringify(whole)) === whole)
    return extractor.foundAt(text.indexOf(whole), JSON.stringify(whole));
  const values = valuesIn(text, options);
  const [only] = values;
  if (only === undefined || values.size > 1 || !isCertain(text, ...only)) return undefined;
  const [, part] = only;
  return extractor.foundAt(part.index, jsonTextOf(options, part.text));
}

/** The values that the guard expects, each with its first place. The `spam` of `not spam` does not count if that is one. */
function valuesIn(text: string, options: JsonParserOptions): ReadonlyMap<JsonValue, ProsePart> {
  const values = new Map<JsonValue, ProsePart>();
  const words = [...text.matchAll(word())];
  if (words.length > maxWords) return values;
  /** The last part, and where it ends. */
  let around: { readonly value: JsonValue; readonly end: number } | undefined;
  for (const [first, { index }] of words.entries()) {
    const before = around;
    for (const { 0: last, index: start } of words.slice(first, first + wordsInOption)) {
      const end = start + last.length;
      const part = { index, text: text.slice(index, end) };
      const value = valueOf(options, part.text);
      if (value === undefined || (before !== undefined && before.value !== value && end <= before.end))
        continue;
      if (!values.has(value)) values.set(value, part);
      if (around === undefined || end > around.end) around = { value, end };
    }
  }
  return values;
}

/** Does the value end the text, or begin it before a reason, without a word of doubt? */
function isCertain(text: string, value: JsonValue, part: ProsePart): boolean {
  const before = text.slice(0, part.index);
  const after = text.slice(part.index + part.text.length);
  const stands = atEnd.test(after) || (atStart.test(before) && beforeReason.test(after));
  const doubt = typeof value === "number" ? qualified : denied;
  return stands && !doubt.test(before) && !doubt.test(after);
}

interface ProsePart {
  readonly index: number;
  readonly text: string;
}

/** The value of a word, if the guard expects it. */
function valueOf(options: JsonParserOptions, word: string): JsonValue | undefined {
  const value = readBy(options, jsonTextOf(options, word));
  return typeof value === "object" ? undefined : value;
}

/** A number or literal as JSON, and any other word as a string. */
function jsonTextOf(options: JsonParserOptions, word: string): string {
  const json = jsonOf(word);
  const isJson = /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(json);
  return isJson && readBy(options, json) !== undefined ? json : JSON.stringify(word);
}

/** The value as the guard reads it; `undefined` if it refuses it. */
function readBy(options: JsonParserOptions, json: string): JsonValue | undefined {
  const found = { text: json, offset: 0, line: 1, lineStart: 0 };
  return new DocumentTrial(found, options, true).valueOf(json);
}

const maxLength = 1_000;
const maxWords = 200;
/** An option of an enum may have so many words. */
const wordsInOption = 3;

/** Numbers with their signs, and words. A number with a unit, a date or a version is one word, which is no number. */
const word = lazyPattern(
  String.raw`[-+]?[$\u20ac\u00a3\u00a5]?\d+(?:[.,:/-]\d+)*%?(?![\p{L}\d])|[\p{L}\p{N}_]+(?:[-'\u2019][\p{L}\p{N}_]+)*`,
  "gu",
);

/** The value ends the text, or begins it, before a reason. */
const atEnd = /^[\s.!*_`"'”’)\]]*$/;
const atStart = /^[\s*_`"'“‘([]*$/;
const beforeReason = /^[*_`"'”’)\]]*(?:[.,:;!\n–—]|\s[-–—(]|\sis\sthe\s(?:\w+\s)?(?:answer|option|choice)\b)/;

/** Words that deny or qualify the value. */
const denied =
  /\b(?:not|never|no|none|nor|neither|cannot|unsure|maybe|perhaps|nicht|kein\w*|pas|nunca|jamás)\b|n['’]t\b|不|没|非/i;
const qualified =
  /\b(?:not|never|about|around|approximately|approx|roughly|almost|nearly|than|over|under|least|most|between|ungefähr|etwa|environ|unos|casi)\b|n['’]t\b|[~≈<>]/i;

import { withPlainDigits } from "../text/around/plain-digits.js";
import { tableOf } from "../text/words-in.js";
import type { JsonRepairKind } from "../json/repair.js";

interface BareValue {
  readonly value: string | number | boolean | null;
  /** The digits of a number, with its sign. */
  readonly digits?: string;
  readonly kind: JsonRepairKind;
}

/** Returns the value of text without an opening quote: a literal, a number, or else a string. */
export function parseBareValue(read: string): BareValue {
  // abc"
  const text = read.replace(/^([^"]+)"$/, "$1");
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return { value: word, kind: "literal" };
  const plain = withPlainDigits(text);
  const whole = integer(plain);
  if (whole !== undefined) return { ...whole, kind: "number" };
  // With leading zeros the text is an article number or a postcode, for example, and stays a string.
  if (/^[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(plain)) {
    return { value: Number(plain), digits: plain, kind: "number" };
  }
  return { value: text, kind: "unquoted_value" };
}

/** Whether the text is a literal or a number. */
export function isSimpleWord(text: string): boolean {
  return mayBeSimple.test(text) && parseBareValue(text).kind !== "unquoted_value";
}

/** The characters of literals and numbers, with the digits and signs that `withPlainDigits()` reads. */
const mayBeSimple =
  /^[\w+.\u2212\u066b\uff0b\uff0d\uff0e\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f-]+"?$/;

/** Reads a hexadecimal number, or one whose digits are grouped as in Python: `0xFF`, `1_000`. */
function integer(text: string): Pick<BareValue, "value" | "digits"> | undefined {
  const hex = /^([+-]?)(0x[0-9a-f]+)$/i.exec(text);
  if (hex !== null) return { value: hex[1] === "-" ? -Number(hex[2]) : Number(hex[2]), digits: text };
  const isGrouped = /^-?[1-9][0-9]*(?:_[0-9]+)+(?:\.[0-9]+(?:_[0-9]+)*)?$/.test(text);
  if (!isGrouped && !/^-?[0-9]+\.[0-9]+(?:_[0-9]+)+$/.test(text)) return undefined;
  const digits = text.replaceAll("_", "");
  return { value: Number(digits), digits };
}

/** JSON has no NaN and no infinity. They become `null`, as with `JSON.stringify`. */
const words = tableOf<boolean | null>({
  true: true,
  false: false,
  "null none undefined nan +nan -nan infinity +infinity -infinity": null,
});

import { type KeywordDialect, readingsOf } from "../keywords/dialect.js";
import { codePoints } from "../values.js";
import { formats } from "./formats.js";

/** As JSON Schema says. */
export const jsonSchemaDialect: KeywordDialect = {
  isLongEnough: (text, length) => text.length >= 2 * length || codePoints(text) >= length,
  isMultiple,
  // In unicode mode, as JSON Schema asks, unless only the other one accepts the source.
  matching: (source) => {
    const [reading] = readingsOf(source);
    return (text) => reading?.test(text) ?? true;
  },
  formats,
  hasNullable: false,
};

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

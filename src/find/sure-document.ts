import type { JsonCoercion } from "../json/coercion.js";
import { DocumentReader } from "../json/parser.js";
import type { JsonRepair, JsonRepairKind } from "../json/repair.js";
import { isContainer, isObject, type JsonValue, valuesIn } from "../json/value.js";
import { isKept } from "../json/scan/kept-number.js";
import { repair } from "../lenient/repair.js";
import { quoted } from "../text/cut.js";

/** The repairs that drop what the model may have meant. */
const guesses: ReadonlySet<JsonRepairKind> = new Set([
  "missing_value",
  "ellipsis",
  "stray_text",
  "missing_opening",
]);
/** A number that JSON does not have, and which the repair reads as null. */
const noNumber = /^[+-]?(?:nan|inf)/i;
/** A call that makes a value of the text or number in it. Any other, such as `len("a")`, would be dropped. */
const maker = /^(?:ObjectId|ISODate|UUID|Date|Decimal(?:128)?|Number(?:Long|Int|Decimal)?)\(/;

/** A document and the repairs that it needed. */
export interface SureDocument {
  readonly value: JsonValue;
  readonly repairs: readonly JsonRepair[];
}

/**
 * Reads a whole text that is nearly JSON. `undefined` if it is not, or can be read in two ways: a key occurs twice, a
 * repair guesses, or a number would be changed.
 */
export function sureDocument(text: string): SureDocument | undefined {
  const repairs: JsonRepair[] = [];
  let isSure = true;
  let read = 0;
  const document = new DocumentReader({
    repair,
    onRepair: (found) => {
      repairs.push(found);
      isSure &&= !isGuess(found, (offset) => text.slice(offset, offset + 20));
    },
    onCoerce: (change) => {
      isSure &&= !losesDigits(change);
    },
    onComplete: () => {
      read++;
    },
  });
  const rejection = document.write(text) ?? document.end(false);
  const value = document.builder.snapshot();
  if (rejection !== undefined || !isSure || value === undefined) return undefined;
  if (lostMember(value, repairs) !== undefined) return undefined;
  // Fewer values than were read: one took the place of another with the same key.
  if (valuesIn(value).length < read) return undefined;
  return { value, repairs };
}

/**
 * Whether a tool would run on a guess after this repair.
 *
 * @param textFrom the text from an offset on, at least twenty characters
 */
export function isGuess({ kind, offset }: JsonRepair, textFrom: (offset: number) => string): boolean {
  if (kind === "call") return !maker.test(textFrom(offset));
  return guesses.has(kind) || (kind === "literal" && noNumber.test(textFrom(offset)));
}

/** Whether a number was changed, and not only the last digits of a long fraction. */
export function losesDigits({ kind, from }: JsonCoercion): boolean {
  return kind === "rounded" && typeof from === "string" && !isKept(from);
}

/** The repairs of quotes that may take the rest of a member into a key or a text. */
const ofQuotes: ReadonlySet<JsonRepairKind> = new Set(["inner_quote", "missing_quote"]);

/**
 * Why repaired arguments may have lost a member: a key has the signs of JSON in it, or a text has a parameter that is
 * not among the arguments.
 */
export function lostMember(
  args: JsonValue | undefined,
  repairs: readonly JsonRepair[],
  parameters: ReadonlySet<string> = new Set(),
): string | undefined {
  if (!isContainer(args) || !repairs.some(({ kind }) => ofQuotes.has(kind))) return undefined;
  for (const value of valuesIn(args)) {
    const keys = isObject(value) ? Object.keys(value) : [];
    const key = keys.find((it) => /["{}[\],]/.test(it));
    if (key !== undefined)
      return `The key ${quoted(key, 40)} may be more than a key. Write the arguments as valid JSON.`;
    if (typeof value !== "string") continue;
    for (const [, name = ""] of value.matchAll(/"([^"]+)"\s*:/g))
      if (parameters.has(name) && !Object.hasOwn(args, name))
        return `The parameter ${quoted(name, 40)} is in the text of another one. Write the arguments as valid JSON.`;
  }
  return undefined;
}

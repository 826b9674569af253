import { lazyPattern } from "../../text/lazy-pattern.js";
import { withPlainDigits } from "../../text/around/plain-digits.js";

/** How a locale writes numbers: `1.234,5` in German. */
export interface Separators {
  readonly decimal: string;
  readonly group: string;
}

/** By locale, because creating a format is slow. */
const separatorsByLocale = new Map<string, Separators>();

/** The separators of a locale. `undefined` for one that is not known: Intl would take the locale of the machine. */
export function separatorsOf(locale: string): Separators | undefined {
  let separators = separatorsByLocale.get(locale);
  if (separators === undefined) {
    if (Intl.NumberFormat.supportedLocalesOf(locale).length === 0) return undefined;
    const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
    const valueOf = (type: string): string =>
      withPlainSigns(parts.find((part) => part.type === type)?.value ?? "");
    separators = { decimal: valueOf("decimal"), group: valueOf("group") };
    if (separatorsByLocale.size < MAX_LOCALES) separatorsByLocale.set(locale, separators);
  }
  return separators;
}

const MAX_LOCALES = 100;

/**
 * The number that a text means: `$1,234.50`, `12 %`, `1/5`, `1 234,5`. `undefined` if it is not a number, if it can be
 * read in two ways (`1.234` without a locale), or if a number would only be close to it.
 *
 * @param isRatio whether `12 %` is 0.12 and not 12
 */
export function toNumber(
  text: string,
  separators: Separators | undefined,
  isRatio: boolean,
): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const found = numberPattern().exec(withPlainSigns(text).trim());
  if (found === null) return undefined;
  const { sign = "", before = "", inner = "", body = "", after = "" } = found.groups ?? {};
  if (sign !== "" && inner !== "") return undefined;
  const isPercent = after === "%";
  if (![before, isPercent ? "" : after].every(isCurrency) || (before !== "" && after !== ""))
    return undefined;
  const value = body.includes("/") ? fractionOf(body) : decimalOf(body, separators);
  if (value === undefined) return undefined;
  const size = isPercent && isRatio ? hundredth(value) : value;
  return sign + inner === "-" ? -size : size;
}

/** 12.3 / 100 is 0.12300000000000001. `12.3e-2` is exact, but `1e+21e-2` is no number. */
function hundredth(value: number): number {
  return Number(`${value}e-2`) || value / 100;
}

const MAX_LENGTH = 100;

const numberPattern = lazyPattern(
  String.raw`^(?<sign>[+-]?)(?<before>[A-Z]{0,3}\p{Sc}?) ?(?<inner>[+-]?)(?<body>[\d.,'_ /]*\d(?:[eE][+-]?\d+)?) ?(?<after>%|[A-Z]{0,3}\p{Sc}?)$`,
);
const currencySignAtEnd = lazyPattern(String.raw`\p{Sc}$`);
const space = lazyPattern(String.raw`[\p{Zs}\t]`, "gu");

/** A cent is a unit: a hundredth of what a price in dollars counts. */
const cent = /[\u00a2\uffe0]$/;

function isCurrency(text: string): boolean {
  if (cent.test(text)) return false;
  return text === "" || currencySignAtEnd().test(text) || currencies().has(text);
}

let known: ReadonlySet<string> | undefined;

function currencies(): ReadonlySet<string> {
  return (known ??= new Set(Intl.supportedValuesOf("currency").filter((code) => !amounts.includes(code))));
}

/** The codes of currencies that are also a unit or a limit: "12 KGS", "2 CUP", "ALL 5" and "TOP 10" have two readings. */
const amounts = ["KGS", "CUP", "ALL", "TOP"];

/** Writes digits, spaces, the minus sign, apostrophes and fractions of Unicode in ASCII. */
function withPlainSigns(text: string): string {
  return withPlainDigits(text)
    .replace(/(\d?)([\u00bc-\u00be\u2150-\u215e])(?!\d)/gu, (_, digit: string, fraction: string) =>
      digit === "" ? fraction.normalize("NFKC") : `${digit} ${fraction.normalize("NFKC")}`,
    )
    .replace(space(), " ")
    .replace(/\u2019/gu, "'")
    .replace(/\u2044/gu, "/");
}

/** `1/5`, `3 1/2` */
function fractionOf(body: string): number | undefined {
  const found = /^(?:(\d{1,15}) )?(\d{1,15}) ?\/ ?(\d{1,15})$/.exec(body);
  if (found === null) return undefined;
  const [, whole = "0", over = "", under = ""] = found;
  const value = Number(whole) + Number(over) / Number(under);
  return Number.isFinite(value) ? value : undefined;
}

function decimalOf(body: string, separators: Separators | undefined): number | undefined {
  if (/e/i.test(body)) return /^\d*\.?\d+e[+-]?\d+$/i.test(body) ? exact(body) : undefined;
  const used = [...new Set(body.replace(/\d/g, ""))];
  const [first, second] = used;
  if (first === undefined) return exact(body);
  if (used.length > 2) return undefined;
  if (second !== undefined) return isDecimal(second) ? withGroups(body, first, second) : undefined;
  if (body.indexOf(first) < body.lastIndexOf(first) || !isDecimal(first)) return withGroups(body, first);
  const [head = "", tail = ""] = body.split(first);
  const isGroup = /^[1-9]\d{0,2}$/.test(head) && tail.length === 3;
  if (!isGroup || separators?.decimal === first) return exact(`${head}.${tail}`);
  // 1,234 is read as in English, but 1.234 may be either.
  return separators === undefined ? (first === "," ? exact(head + tail) : undefined) : grouped(head + tail);

  function grouped(digits: string): number | undefined {
    return separators?.group === first ? exact(digits) : undefined;
  }
}

function isDecimal(separator: string): boolean {
  return separator === "." || separator === ",";
}

/** Reads `1,234,567.8`, and `12,34,567.8` as in India. */
function withGroups(body: string, group: string, decimal?: string): number | undefined {
  const [whole = "", fraction, ...more] = decimal === undefined ? [body] : body.split(decimal);
  const [head = "", ...groups] = whole.split(group);
  const last = groups.pop();
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(head) &&
    last?.length === 3 &&
    (groups.every(({ length }) => length === 3) ||
      (group === "," && head.length < 3 && groups.every(({ length }) => length === 2)));
  if (!isGrouped || more.length > 0) return undefined;
  const digits = head + groups.join("") + last;
  return exact(fraction === undefined ? digits : `${digits}.${fraction}`);
}

/** The number, unless a JavaScript number cannot hold its digits. */
function exact(text: string): number | undefined {
  if (!/^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  const digits = text.replace(/e.*$/i, "").replace(/^[0.]+|\./g, "");
  if (digits.length <= SAFE_DIGITS) return Number.isFinite(value) ? value : undefined;
  return /^\d+$/.test(text) && BigInt(text) === BigInt(value) ? value : undefined;
}

/** Every decimal of so many digits survives as a JavaScript number. */
const SAFE_DIGITS = 15;

/** The character of an escape after the backslash; `undefined` if more characters are needed to tell. */
export function escapeAt(text: string, at: number, isEnd: boolean): Escape | undefined {
  const char = text[at];
  if (char === undefined) return isEnd ? { value: "\\", length: 0 } : undefined;
  const simple = simpleEscapes[char];
  if (simple !== undefined) return { value: simple, length: 1 };
  const digits = codeLengths[char];
  if (digits === undefined) return { value: `\\${char}`, length: 1 };
  const code = text.slice(at + 1, at + 1 + digits);
  if (code.length < digits && !isEnd) return undefined;
  const point = /^[\da-f]+$/i.test(code) && code.length === digits ? Number.parseInt(code, 16) : Number.NaN;
  return point <= 0x10ffff
    ? { value: String.fromCodePoint(point), length: 1 + digits }
    : { value: `\\${char}`, length: 1 };
}

interface Escape {
  readonly value: string;
  readonly length: number;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
  _: "_", // of Markdown
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "0": "\0",
};
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * A word of Python that is not a string, as JSON text: a number, a constant, a sum or product of numbers, or its own text
 * as a string.
 *
 * | word              | JSON                                                                           |
 * | ----------------- | ------------------------------------------------------------------------------ |
 * | `1_000`, `1.50`   | `1000`, `1.50`: the digits stay as they are                                    |
 * | `.5`, `007.`      | `0.5`, `7`                                                                     |
 * | `0x1F`            | `31`                                                                           |
 * | `01234`           | `"01234"`: no number of Python, but a postcode or the number of an article     |
 * | `2 * 3`           | `6`, unless the parameter is a string                                          |
 * | `2024-10-15`      | `"2024-10-15"`, unless the parameter is a number: a date, a range, a telephone |
 * | `10**17 + 1`      | `"10**17 + 1"`: JavaScript would round it                                      |
 *
 * @param types the types that the schema of the parameter allows; empty if they are not known
 */
export function wordAsJson(word: string, types: readonly unknown[] = []): string {
  const constant = constantAsJson(word);
  if (constant !== undefined) return constant;
  const digits = word.replaceAll(/(?<=\d)_(?=\d)/g, "").replace(/^\+/, "");
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(digits)) return digits;
  if (/^0x[\da-f]+$/i.test(digits)) return String(BigInt(digits));
  const float = /^(-?)0*(\d*)(\.\d+|(?<=\d)\.)(e[+-]?\d+)?$/i.exec(digits);
  if (float !== null) {
    const [, sign = "", whole = "", decimals = "", exponent = ""] = float;
    return `${sign}${whole || "0"}${decimals === "." ? "" : decimals}${exponent}`;
  }
  const value = mayCalculate(word, types) ? calculated(word) : undefined;
  return JSON.stringify(value ?? word.replaceAll("\\_", "_"));
}

function mayCalculate(word: string, types: readonly unknown[]): boolean {
  const mayBeText = types.length === 0 || types.includes("string");
  const isText = mayBeText && (types.length === 1 || joinedDigits.test(word));
  return !isText && /[-+*/]/.test(word);
}

const joinedDigits = /^\d[\d.]*(?:[-/]\d[\d.]*)+$/;

/**
 * The value of sums and products of numbers, such as `2 * 3.14`; `undefined` for any other expression, and if a number
 * is too large to be exact.
 */
function calculated(source: string): number | undefined {
  const parts = source.match(/\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+|\*\*|[-+*/()]|\S/gi) ?? [];
  if (parts.length > 100) return undefined;
  let at = 0;
  const unary = (): number => {
    const sign = parts[at] === "-" || parts[at] === "+" ? parts[at++] : "";
    if (sign !== "") return sign === "-" ? -unary() : unary();
    let base = Number((parts[at++] ?? "").replaceAll("_", "") || Number.NaN);
    if (parts[at - 1] === "(") {
      base = sum();
      if (parts[at++] !== ")") return Number.NaN;
    }
    if (parts[at] !== "**") return exact(base);
    at++;
    return exact(base ** unary());
  };
  const product = (): number => {
    let left = unary();
    for (; parts[at] === "*" || parts[at] === "/";)
      left = exact(parts[at++] === "*" ? left * unary() : left / unary());
    return left;
  };
  const sum = (): number => {
    let left = product();
    for (; parts[at] === "+" || parts[at] === "-";)
      left = exact(parts[at++] === "+" ? left + product() : left - product());
    return left;
  };
  const value = sum();
  return at === parts.length && !Number.isNaN(value) ? value : undefined;
}

/** The number, or NaN if it is too large for each integer to differ from the next. */
function exact(value: number): number {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

/** A constant of Python or JSON as JSON text; `undefined` for any other word. */
export function constantAsJson(word: string): string | undefined {
  if (word === "None") return "null";
  return /^(?:[Tt]rue|[Ff]alse|null)$/.test(word) ? word.toLowerCase() : undefined;
}

/** The content of a Python string as JSON text, without quotes. */
export function inJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

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

/** A word of Python that is not a string, as JSON text: a number, a constant, or its own text as a string. */
export function wordAsJson(word: string): string {
  const constant = constantAsJson(word);
  if (constant !== undefined) return constant;
  const digits = word.replaceAll(/(?<=\d)_(?=\d)/g, "").replace(/^\+/, "");
  if (/^-?(?:0|[1-9]\d*)$/.test(digits)) return digits;
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$|^0x[\da-f]+$/i.test(digits)) {
    const value = Number(digits);
    if (Number.isFinite(value)) return JSON.stringify(value);
  }
  const value = /[-+*/]/.test(word) ? calculated(word) : undefined;
  return JSON.stringify(value ?? word.replaceAll("\\_", "_"));
}

/** The value of sums and products of numbers, such as `2 * 3.14`; `undefined` for any other expression. */
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
    if (parts[at] !== "**") return base;
    at++;
    return base ** unary();
  };
  const product = (): number => {
    let left = unary();
    for (; parts[at] === "*" || parts[at] === "/";)
      left = parts[at++] === "*" ? left * unary() : left / unary();
    return left;
  };
  const sum = (): number => {
    let left = product();
    for (; parts[at] === "+" || parts[at] === "-";)
      left = parts[at++] === "+" ? left + product() : left - product();
    return left;
  };
  const value = sum();
  return at === parts.length && Number.isFinite(value) ? value : undefined;
}

/** A constant of Python or JSON as JSON text; `undefined` for any other word. */
export function constantAsJson(word: string): string | undefined {
  if (word === "None") return "null";
  return /^(?:[Tt]rue|[Ff]alse|null)$/.test(word) ? word.toLowerCase() : undefined;
}

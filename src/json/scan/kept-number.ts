/** Whether JavaScript has exactly this number, or writes it so. Its digits are decimal, or hexadecimal after `0x`. */
export function isExact(token: string): boolean {
  if (token.length < 16 && !/e/i.test(token)) return true;
  const digits = token.replace(/^[+-]/, "");
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  if (digitsOf(digits) === digitsOf(String(value))) return true;
  const integer = /^(?:\d+(?=(?:\.0*)?$)|0x[\da-f]+$)/i.exec(digits)?.[0];
  return integer !== undefined && BigInt(integer) === BigInt(value);
}

/** The same, but the last digits of a long fraction do not count. */
export function isKept(token: string): boolean {
  return isExact(token) || Math.abs(Number(token)) <= Number.MAX_SAFE_INTEGER;
}

/** The digits that count: `-0120`, `120` and `1.2e+2` have the same. */
function digitsOf(number: string): string {
  return number.replace(/e.*|[-.]/g, "").replace(/^0+|(?<!0)0+$/g, "");
}

/** Whether a number is that of the text, or is written like it. The last digits of a long fraction do not count. */
export function isKept(token: string): boolean {
  if (token.length < 16 && !/e/i.test(token)) return true;
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  const integer = /^-?\d+(?=(?:\.0+)?$)/.exec(token)?.[0];
  if (integer === undefined || digitsOf(integer) === digitsOf(String(value))) return true;
  return BigInt(integer) === BigInt(value);
}

/** The digits that count: `-0120`, `120` and `1.2e+2` have the same. */
function digitsOf(number: string): string {
  return number.replace(/e.*|[-.]/g, "").replace(/^0+|(?<!0)0+$/g, "");
}

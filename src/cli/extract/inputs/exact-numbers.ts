/**
 * Puts quotes around the numbers of a JSON text that `JSON.parse()` would change, such as ids of 19 digits, so that their
 * digits are kept. `pg` returns the integers of 64 bits as texts too.
 */
export function exactNumbers(json: string): string {
  if (!/[\d.]{16}|\de/i.test(json)) return json; // most rows: takes a tenth of the time
  let inString = false;
  return json.replace(/\\.|"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (token) => {
    if (token === '"') inString = !inString;
    else if (!inString && digitsOf(token) !== digitsOf(String(Number(token)))) return `"${token}"`;
    return token;
  });
}

/** The digits that count: `-0.0120e5` → `12` */
function digitsOf(number: string): string {
  return number
    .replace(/e.*/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|(?<!0)0+$/g, "");
}

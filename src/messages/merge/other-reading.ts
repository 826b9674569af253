import { quoted } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import { isKept } from "../../json/scan/kept-number.js";

/**
 * Why the value of a JSON text is not all that the text says, or `undefined`: a key that occurs twice in an object, or a
 * number that JavaScript cannot keep, such as an id of 19 digits. A tool must not run on one of two readings.
 *
 * Reads each character once, and skips long strings.
 *
 * @param json valid JSON, which may have raw line breaks in its strings
 */
export function otherReadingOf(json: string): string | undefined {
  /** The keys of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  const tokens = /["{}[\]]|-?\d[\d.eE+-]*/g;
  for (let found = tokens.exec(json); found !== null; found = tokens.exec(json)) {
    const [token] = found;
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === '"') {
      const end = endOfString(json, tokens.lastIndex);
      const text = json.slice(tokens.lastIndex, end - 1);
      tokens.lastIndex = end;
      if (!isKey(json, end)) continue;
      const key = keyOf(text);
      const keys = open.at(-1);
      if (keys?.has(key) === true)
        return `The arguments have the key ${quoted(key)} twice, so they can be read in two ways. Write each key once.`;
      keys?.add(key);
    } else if (!isKept(token)) return changedNumber(token);
  }
  return undefined;
}

export function changedNumber(number: string): string {
  return `The number ${excerpt(number, 60)} in the arguments is too large or has too many digits, and would be changed. Write it as a string if the tool takes one.`;
}

/** The place after the closing quote. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (json[escapes - 1] === "\\") escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return json.length;
}

function isKey(json: string, at: number): boolean {
  const next = /\S/g;
  next.lastIndex = at;
  return next.exec(json)?.[0] === ":";
}

function keyOf(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text; // a raw line break is in it
  }
}

/** Ways in which a server may repeat a text. Most of them encode character by character. */

type Encode = (text: string) => string;

const hex = (character: string, digits: number): string =>
  (character.codePointAt(0) as number).toString(16).padStart(digits, "0");

const each =
  (encode: (character: string, index: number) => string): Encode =>
  (text) =>
    Array.from(text, encode).join("");

const named: Readonly<Record<string, string>> = {
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  ".": "&period;",
  _: "&lowbar;",
};

const characterwise: Readonly<Record<string, Encode>> = {
  "as it is": (text) => text,
  "JSON escapes": each((it) => `\\u${hex(it, 4)}`),
  "JSON escapes in capitals": each((it) => `\\u${hex(it, 4).toUpperCase()}`),
  "JSON escapes of every other character": each((it, i) => (i % 2 === 0 ? it : `\\u${hex(it, 4)}`)),
  "JSON in JSON": each((it) => `\\\\u${hex(it, 4)}`),
  "JSON in JSON in JSON": each((it) => `\\\\\\\\u${hex(it, 4)}`),
  "a quoted JSON text": (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  "escaped slashes": (text) => text.replaceAll("/", "\\/"),
  "hexadecimal escapes": each((it) => `\\x${hex(it, 2)}`),
  "code points": each((it) => `\\u{${hex(it, 1)}}`),
  "percent-encoding": each((it) => `%${hex(it, 2)}`),
  "percent-encoding in capitals": each((it) => `%${hex(it, 2).toUpperCase()}`),
  "encodeURIComponent()": encodeURIComponent,
  "percent-encoding, twice": each((it) => `%25${hex(it, 2)}`),
  "percent-encoding of JSON escapes": each((it) => encodeURIComponent(`\\u${hex(it, 4)}`)),
  "JSON escapes of percent-encoding": each((it) => `\\u0025${hex(it, 2)}`),
  "decimal entities": each((it) => `&#${it.codePointAt(0)};`),
  "decimal entities with zeros": each((it) => `&#00${it.codePointAt(0)};`),
  "hexadecimal entities": each((it) => `&#x${hex(it, 2)};`),
  "entities of entities": each((it) => `&amp;#${it.codePointAt(0)};`),
  "named entities": each((it) => named[it] ?? it),
  hexadecimal: each((it) => hex(it, 2)),
  "hexadecimal in capitals": each((it) => hex(it, 2).toUpperCase()),
  "a column of characters": each((it) => `${it}\n`),
  "soft hyphens": each((it) => `${it}\u00ad`),
};

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");

/** Encodings of a text together with the text around it. */
const blockwise: Readonly<Record<string, Encode>> = {
  base64,
  "base64 after one character": (text) => base64(`:${text}`),
  "base64 after two characters": (text) => base64(`u:${text}`),
  "base64 for URLs": (text) => urlSafe(base64(text)),
  "base64 for URLs after two characters": (text) => urlSafe(base64(`u:${text}`)),
  "base64 in lines": (text) => base64(text).replace(/.{19}/g, "$&\r\n"),
};

export const encodings: Readonly<Record<string, Encode>> = {
  ...characterwise,
  ...blockwise,
  // The parts of the key in it are those of "base64 after two characters".
  "base64 between others": (text) => base64(`user:${text} and more`),
};

/** The parts of a text with this length. */
function partsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, i) => text.slice(i, i + length));
}

/**
 * The first part of the key of eight characters that a text shows in any of the encodings; `undefined` if it shows
 * none.
 */
export function shownPart(text: string, key: string): string | undefined {
  const solid = text.replaceAll(/[\s\u00ad]/g, "");
  for (const part of partsOf(key, 8)) {
    for (const encode of Object.values(characterwise)) {
      const encoded = encode(part).replaceAll(/[\s\u00ad]/g, "");
      if (solid.includes(encoded)) return encoded;
    }
  }
  for (const encode of Object.values(blockwise)) {
    // Sixteen characters of base64 are twelve of the key, or fewer at the edges.
    const inside = encode(key).replaceAll(/\s/g, "").replace(/=+$/, "").slice(4, -4);
    for (const part of partsOf(inside, 16)) if (solid.includes(part)) return part;
  }
  return undefined;
}

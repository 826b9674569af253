import { parsedJson } from "../../../text/json-text.js";

/** The path from the root to a value: member names and element indexes. */
export type Path = readonly (string | number)[];

/**
 * Parses a JSONPath (RFC 9535) that consists of names and indexes: `$.a.b[0]['c d']`. Returns `undefined` for any other
 * path, for more than a thousand steps, or for one that would take all the memory of a regular expression. A dot may
 * precede any name, because Gemini does not check names.
 */
export function parseJsonPath(text: unknown): Path | undefined {
  if (typeof text !== "string" || !text.startsWith("$") || text.length > mostCharacters) return undefined;
  const path: (string | number)[] = [];
  segment.lastIndex = 1;
  while (segment.lastIndex < text.length) {
    const [, name, index, single, double] = segment.exec(text) ?? [];
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else {
      const quoted =
        single === undefined ? double : single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
      const key = quoted === undefined ? undefined : parsedJson(`"${quoted}"`);
      if (key === undefined) return undefined;
      path.push(key as string);
    }
  }
  return path.length > mostSteps ? undefined : path;
}

const mostSteps = 1_000;
const mostCharacters = 100_000;

/** `.name`, `[0]`, `['name']`, `["name"]` */
const segment = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

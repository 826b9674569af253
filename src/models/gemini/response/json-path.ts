/** The way from the root to a value: names of members and indexes of elements. */
export type Path = readonly (string | number)[];

/**
 * The way that a JSONPath (RFC 9535) of names and indexes alone describes: `$.a.b[0]['c d']`. `undefined` if it is no
 * such path, or one of more than a thousand steps. Dots may stand before any name, as Gemini does not look at which are
 * allowed there.
 */
export function parseJsonPath(text: unknown): Path | undefined {
  if (typeof text !== "string" || !text.startsWith("$")) return undefined;
  const path: (string | number)[] = [];
  segment.lastIndex = 1;
  while (segment.lastIndex < text.length) {
    const [, name, index, single, double] = segment.exec(text) ?? [];
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else {
      const quoted =
        single === undefined ? double : single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
      const key = quoted === undefined ? undefined : unquote(quoted);
      if (key === undefined) return undefined;
      path.push(key);
    }
  }
  return path.length > mostSteps ? undefined : path;
}

const mostSteps = 1_000;

/** `.name`, `[0]`, `['name']`, `["name"]` */
const segment = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
